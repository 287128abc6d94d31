import LogOut from "lucide-react/icons/log-out";
import type { Page } from "../lib/api.gen";
import { signOut, useAccount } from "../lib/auth";
import { localPart } from "../lib/text";
import { toast } from "../lib/toast";
import { loginUrl } from "../lib/urls";
import styles from "./account-links.module.css";
import { Portrait } from "./portrait";

// Pages that nobody wants to come back to.
const NO_WAY_BACK: Page["page"][] = ["signup", "notFound", "error"];

// The signed-out links are in every kept page, and so is their place: who is signed in is only
// known later, and then nothing moves.
export function AccountLinks({ page }: { page: Page }) {
  const { loading, user } = useAccount();
  if (user === null) {
    return (
      <nav className={styles.account} aria-label="Account" data-waiting={loading}>
        <a href="/register">Register</a>
        <a href={loginUrl(NO_WAY_BACK.includes(page.page) ? "/" : page.url)}>Sign in</a>
      </nav>
    );
  }
  const name = user.displayName || localPart(user.email ?? "Account");
  return (
    <div className={styles.account}>
      <a className={styles.name} href="/account">
        <Portrait photoURL={user.photoURL} name={name} />
        <span>{name}</span>
      </a>
      <button type="button" onClick={leave}>
        <LogOut size={18} strokeWidth={1.5} aria-hidden />
        <span className={styles.logOut}>Log out</span>
      </button>
    </div>
  );
}

export async function leave() {
  const failed = await signOut();
  if (failed) toast.error(failed.message);
}
