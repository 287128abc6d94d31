import { useCallback, useEffect, useState } from "react";

export type Loaded<T> = {
  // Null while it is on its way.
  value: T | null;
  failed: boolean;
  retry: () => void;
  // What is known better by now.
  replace: (value: T) => void;
};

// What `load` brings; `load` must stay the same between renders as long as the question does.
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [value, setValue] = useState<T | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again.
  useEffect(() => {
    let here = true;
    setFailed(false);
    load().then(
      (found) => here && setValue(found),
      () => here && setFailed(true),
    );
    return () => {
      here = false;
    };
  }, [load, tries]);

  const retry = useCallback(() => setTries((before) => before + 1), []);
  return { value, failed, retry, replace: setValue };
}
