import * as m from "messages/ui";
import styles from "./honeypot.module.css";

// A honeypot: a hidden field that bots fill in.
export function Honeypot() {
  return (
    <div className={styles.trap} aria-hidden="true">
      <label>
        {m.website()}
        <input name="website" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
