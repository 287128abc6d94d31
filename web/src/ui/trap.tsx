import styles from "./trap.module.css";

// A field that nobody sees. Programs that fill in every form fill it in too, and are known by it.
export function Trap() {
  return (
    <div className={styles.trap} aria-hidden="true">
      <label>
        Website
        <input name="website" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
