// The logo: a sheet of paper with a folded corner.

export function Logo({ size = 30 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="7" className="fill-accent" />
      <path d="M8 7h11l5 5v13H8z" className="fill-paper" />
      <path d="M19 7v5h5" className="fill-accent-wash" />
      <path
        d="M11.5 14.5h9M11.5 18h9M11.5 21.5h5.5"
        className="stroke-accent"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </svg>
  );
}
