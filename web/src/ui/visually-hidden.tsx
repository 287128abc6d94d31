import type { ReactNode } from "react";

// A message's tag for words that only screen readers read.
export function hidden(text: ReactNode): ReactNode {
  return <span className="visually-hidden">{text}</span>;
}
