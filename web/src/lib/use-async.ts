import { useCallback, useEffect, useState } from "react";

export type AsyncValue<T> = {
  // Null while loading.
  value: T | null;
  failed: boolean;
  retry: () => void;
  // Sets a newer value.
  replace: (value: T) => void;
};

// Loads a value with `load`, which must be the same function between renders while the request is
// the same.
export function useAsync<T>(load: () => Promise<T>): AsyncValue<T> {
  const [value, setValue] = useState<T | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again.
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
