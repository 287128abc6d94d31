import { type ReactNode, Suspense } from "react";

// A hydration boundary (Suspense): its content hydrates separately and after its surroundings, so
// that a long page does not delay the first input. React hydrates first what is clicked.
export function HydrationBoundary({ children }: { children: ReactNode }) {
  return <Suspense>{children}</Suspense>;
}
