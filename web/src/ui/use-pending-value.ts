import { useState } from "react";

// An optimistic form value: shows a choice at once, before the page that it leads to, and follows
// the page again when that changes, as after Back.
export function usePendingValue<T extends string | boolean>(
  current: T,
): [pending: T, choose: (next: T) => void] {
  const [state, setState] = useState({ current, pending: current });
  if (state.current !== current) setState({ current, pending: current });
  return [
    state.current === current ? state.pending : current,
    (pending) => setState({ current, pending }),
  ];
}
