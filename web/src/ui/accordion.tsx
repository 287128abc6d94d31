import * as Radix from "@radix-ui/react-accordion";
import Plus from "lucide-react/icons/plus";
import type { ReactNode } from "react";
import styles from "./accordion.module.css";

type Item = { id: string; title: string; content: ReactNode };

// Without JavaScript every item is open.
export function Accordion({ items }: { items: Item[] }) {
  return (
    <Radix.Root className={styles.accordion} type="single" collapsible>
      {items.map((item) => (
        <Radix.Item key={item.id} className={styles.item} value={item.id}>
          <Radix.Header>
            <Radix.Trigger className={styles.trigger}>
              {item.title}
              <Plus className={styles.sign} size={20} strokeWidth={1.5} aria-hidden />
            </Radix.Trigger>
          </Radix.Header>
          <Radix.Content className={styles.content} forceMount>
            <div className={styles.words}>{item.content}</div>
          </Radix.Content>
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
