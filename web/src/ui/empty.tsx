import type { ReactNode } from "react";
import { Button } from "./button";
import styles from "./empty.module.css";

type Props = {
  icon?: ReactNode;
  title: string;
  // The title's rank, where it is more than words.
  heading?: boolean;
  children?: ReactNode;
};

// Where a list has nothing in it: what that means, and a way on.
export function Empty({ icon, title, heading = false, children }: Props) {
  return (
    <div className={styles.empty}>
      {icon}
      {heading ? (
        <h2 className={styles.title}>{title}</h2>
      ) : (
        <p className={styles.title}>{title}</p>
      )}
      {children}
    </div>
  );
}

// Where a list could not be had.
export function Failed({ what, retry }: { what: string; retry: () => void }) {
  return (
    <div className={styles.empty} role="alert">
      <p className={styles.title}>{what} could not be loaded</p>
      <p>Check your connection and try again.</p>
      <Button quiet onClick={retry}>
        Retry
      </Button>
    </div>
  );
}
