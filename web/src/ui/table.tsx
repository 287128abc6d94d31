import type { ReactNode } from "react";
import styles from "./table.module.css";

type Props = { columns: string[]; className: string | undefined; children: ReactNode };

// A table whose rows are cards on a phone: grids, with areas that the row's own styles define.
export function Table({ columns, className, children }: Props) {
  return (
    <table className={`${styles.table} ${className}`}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
