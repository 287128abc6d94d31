import { type ReactNode, Suspense } from "react";

// A part of the page that comes to life by itself, a little at a time and after what is around it: a
// long page in one go would hold up the first touch. Whatever is clicked comes first.
export function Apart({ children }: { children: ReactNode }) {
  return <Suspense>{children}</Suspense>;
}
