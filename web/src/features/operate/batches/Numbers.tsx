// Numbers with their labels, as a list.

export function Numbers({ numbers }: { numbers: readonly (readonly [string, number])[] }) {
  return (
    <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      {numbers.map(([label, number]) => (
        <div key={label} className="flex items-baseline justify-between gap-4 border-b border-line pb-2">
          <dt className="text-ink-soft">{label}</dt>
          <dd className="text-lg font-semibold tabular-nums">{number}</dd>
        </div>
      ))}
    </dl>
  );
}
