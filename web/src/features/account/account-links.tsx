import LogOut from "lucide-react/icons/log-out";
import * as m from "messages/account";
import * as common from "messages/common";
import type { Page } from "../../lib/api.gen";
import { localUrl } from "../../lib/language";
import { localPart } from "../../lib/text";
import { toast } from "../../lib/toast";
import { loginUrl } from "../../lib/urls";
import { signOut, useAuth } from "../auth/auth";
import styles from "./account-links.module.css";
import { Avatar } from "./avatar";

// Pages that a visitor does not return to after signing in.
const NO_WAY_BACK: Page["page"][] = ["signup", "pay", "not-found", "error"];

// Cached pages show the signed-out links and reserve their space: who is signed in is known only
// later, and then nothing may move.
export function AccountLinks({ page }: { page: Page }) {
  const { loading, user } = useAuth();
  if (user === null) {
    const from = NO_WAY_BACK.includes(page.page) ? "/" : page.url;
    return (
      <nav className={styles.account} aria-label={common.account()} data-waiting={loading}>
        <a href={localUrl("/register")}>{common.register()}</a>
        <a href={loginUrl(from)}>{common.signIn()}</a>
      </nav>
    );
  }
  const name = user.displayName || localPart(user.email ?? common.account());
  return (
    <div className={styles.account}>
      <a className={styles.name} href={localUrl("/account")}>
        <Avatar photoURL={user.photoURL} name={name} />
        <span>{name}</span>
      </a>
      <button type="button" onClick={signOutOrToast}>
        <LogOut size={18} strokeWidth={1.5} aria-hidden />
        <span className={styles.logOut}>{m.logOut()}</span>
      </button>
    </div>
  );
}

export async function signOutOrToast() {
  const failed = await signOut();
  if (failed) toast.error(failed.message);
}
