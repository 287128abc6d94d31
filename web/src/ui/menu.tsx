import * as Radix from "@radix-ui/react-dropdown-menu";
import type { ReactNode } from "react";
import styles from "./menu.module.css";

type Item = { id: string; name: string; icon?: ReactNode; disabled?: boolean } & (
  | { href: string }
  | { onSelect: () => void }
);

// `trigger` is one focusable element.
export function Menu({ trigger, items }: { trigger: ReactNode; items: Item[] }) {
  return (
    // Not modal: the page below stays scrollable.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.menu} sideOffset={8} align="end">
          {items.map((item) => (
            <Radix.Item
              key={item.id}
              className={styles.item}
              disabled={item.disabled ?? false}
              asChild={"href" in item}
              {...("onSelect" in item && { onSelect: item.onSelect })}
            >
              {"href" in item ? (
                <a href={item.href}>
                  {item.icon}
                  {item.name}
                </a>
              ) : (
                <>
                  {item.icon}
                  {item.name}
                </>
              )}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
