// The message of a form: what is missing, or the server's error.

import { CircleAlert } from "lucide-react";

export function FormMessage({ id, children }: { id: string; children: string | null }) {
  return (
    <div id={id} role="alert" className="empty:hidden">
      {children && (
        <p className="flex items-center gap-2 rounded-lg bg-urgent-wash px-3 py-2.5 text-[0.9375rem] font-medium text-urgent">
          <CircleAlert size={18} aria-hidden className="shrink-0" />
          {children}
        </p>
      )}
    </div>
  );
}
