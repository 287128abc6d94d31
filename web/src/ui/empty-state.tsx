import * as common from "messages/common";
import * as m from "messages/ui";
import type { ReactNode } from "react";
import { Button } from "./button";
import styles from "./empty-state.module.css";

type Props = {
  icon?: ReactNode;
  title: string;
  // Whether the title is a heading.
  heading?: boolean;
  children?: ReactNode;
};

// An empty list: what that means, and what to do next.
export function EmptyState({ icon, title, heading = false, children }: Props) {
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

// A list that failed to load: `title` says which.
export function LoadError({ title, retry }: { title: string; retry: () => void }) {
  return (
    <div className={styles.empty} role="alert">
      <p className={styles.title}>{title}</p>
      <p>{m.checkConnection()}</p>
      <Button quiet onClick={retry}>
        {common.retry()}
      </Button>
    </div>
  );
}
