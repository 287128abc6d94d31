import LayoutDashboard from "lucide-react/icons/layout-dashboard";
import LogOut from "lucide-react/icons/log-out";
import Receipt from "lucide-react/icons/receipt";
import { type ComponentType, useEffect, useRef } from "react";
import { leave } from "../components/account-links";
import { Dashboard, Waiting } from "../components/orders/dashboard";
import { PurchaseHistory } from "../components/orders/purchase-history";
import { PageHead } from "../components/page-head";
import type { AccountTab } from "../lib/api.gen";
import { useAccount } from "../lib/auth";
import type { User } from "../lib/identity";
import { goOn } from "../lib/navigation";
import type { PageOf } from "../lib/page";
import { localPart } from "../lib/text";
import { loginUrl } from "../lib/urls";
import styles from "./account.module.css";

type Tab = {
  tab: AccountTab;
  name: string;
  url: string;
  icon: ComponentType<{ size: number; strokeWidth: number; "aria-hidden": true }>;
  content: ComponentType<{ user: User }>;
};

const TABS: Tab[] = [
  {
    tab: "dashboard",
    name: "Dashboard",
    url: "/account",
    icon: LayoutDashboard,
    content: ({ user }) => <Dashboard name={user.displayName || localPart(user.email ?? "")} />,
  },
  {
    tab: "orders",
    name: "Purchase History",
    url: "/account/orders",
    icon: Receipt,
    content: PurchaseHistory,
  },
];

export default function AccountPage(page: PageOf<"account">) {
  const { user } = useAccount();
  useGuestsLeave(page.url);
  const here = TABS.find(({ tab }) => tab === page.props.tab) ?? (TABS[0] as Tab);
  const Content = here.content;
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`${here.name} · ${page.shop.name}`}
        description={`Your orders and your account at ${page.shop.name}.`}
      />
      <nav className={styles.tabs} aria-label="Your account">
        <ul>
          {TABS.map(({ tab, name, url, icon: Icon }) => (
            <li key={tab}>
              <a href={url} aria-current={tab === here.tab ? "page" : undefined}>
                <Icon size={18} strokeWidth={1.5} aria-hidden />
                {name}
              </a>
            </li>
          ))}
          <li>
            <button type="button" onClick={() => void leave()}>
              <LogOut size={18} strokeWidth={1.5} aria-hidden />
              Log out
            </button>
          </li>
        </ul>
      </nav>
      <div className={styles.content}>
        <h1>{here.name}</h1>
        <p className={`without-js ${styles.without}`}>
          Your account needs JavaScript. Please switch it on.
        </p>
        <div className="with-js">
          {user === null ? <Waiting /> : <Content key={user.uid} user={user} />}
        </div>
      </div>
    </div>
  );
}

// Who comes as a guest signs in and comes back; who was signed in here and no longer is goes home.
function useGuestsLeave(url: string): void {
  const { loading, user } = useAccount();
  const wasKnown = useRef(false);
  useEffect(() => {
    if (user !== null) wasKnown.current = true;
    else if (!loading) goOn(wasKnown.current ? "/" : loginUrl(url));
  }, [loading, user, url]);
}
