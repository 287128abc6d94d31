import * as Radix from "@radix-ui/react-tabs";
import { type ReactNode, useState } from "react";
import styles from "./tabs.module.css";

type Tab = { id: string; name: string; content: ReactNode; disabled?: boolean };

type Props = {
  label: string;
  tabs: Tab[];
  // The open tab, where the page controls it.
  shown?: string;
  onShow?: (id: string) => void;
};

// Every panel is in the markup, for crawlers and for Find; without JavaScript they are stacked.
export function Tabs({ label, tabs, shown, onShow }: Props) {
  const [own, setOwn] = useState(tabs[0]?.id ?? "");
  return (
    <Radix.Root className={styles.tabs} value={shown ?? own} onValueChange={onShow ?? setOwn}>
      <Radix.List className={`with-js ${styles.list}`} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            className={styles.tab}
            value={tab.id}
            disabled={tab.disabled ?? false}
          >
            {tab.name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} className={styles.panel} value={tab.id} forceMount>
          <h2 className={`without-js ${styles.name}`}>{tab.name}</h2>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
