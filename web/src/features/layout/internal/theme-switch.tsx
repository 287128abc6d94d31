import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import * as m from "messages/layout";
import { nextTheme, type Theme, useTheme } from "./theme";
import styles from "./theme-switch.module.css";

const ICONS = { system: Monitor, light: Sun, dark: Moon };
const LABELS: Record<Theme, () => string> = {
  system: m.themeSystem,
  light: m.themeLight,
  dark: m.themeDark,
};

export function ThemeSwitch() {
  const theme = useTheme();
  const Icon = ICONS[theme];
  const label = LABELS[theme]();
  return (
    <button
      className={styles.switch}
      type="button"
      onClick={nextTheme}
      aria-label={label}
      title={label}
    >
      <Icon size={18} strokeWidth={1.5} aria-hidden />
    </button>
  );
}
