import ChevronLeft from "lucide-react/icons/chevron-left";
import LayoutDashboard from "lucide-react/icons/layout-dashboard";
import LogOut from "lucide-react/icons/log-out";
import Receipt from "lucide-react/icons/receipt";
import UserRound from "lucide-react/icons/user-round";
import Wallet from "lucide-react/icons/wallet";
import * as m from "messages/account";
import { type ComponentType, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { signOutOrToast } from "../features/account/account-links";
import { useAuth, useUser } from "../features/auth/auth";
import type { User } from "../features/auth/identity";
import { StoreCreditPanel } from "../features/credit/store-credit";
import { PageHead } from "../features/layout/page-head";
import { Dashboard, OrdersSkeleton } from "../features/orders/dashboard";
import { PurchaseHistory } from "../features/orders/purchase-history";
import type { AccountTab } from "../lib/api.gen";
import { localUrl } from "../lib/language";
import { lazyComponent } from "../lib/lazy";
import { redirect } from "../lib/navigation";
import type { PageOf } from "../lib/page";
import { localPart } from "../lib/text";
import { loginUrl, orderNumberOf } from "../lib/urls";
import styles from "./account.module.css";

type Tab = {
  tab: AccountTab;
  name: () => string;
  url: string;
  icon: ComponentType<{ size: number; strokeWidth: number; "aria-hidden": true }>;
  content: ComponentType<{ user: User; leaveTo: (url: string) => void }>;
};

const ProfilePanel = lazyComponent(() => import("../features/account/profile"));
const OrderDetailsPanel = lazyComponent(() => import("../features/orders/order-details"));

const TABS: Tab[] = [
  {
    tab: "dashboard",
    name: m.dashboard,
    url: "/account",
    icon: LayoutDashboard,
    content: ({ user }) => <Dashboard name={user.displayName || localPart(user.email ?? "")} />,
  },
  {
    tab: "orders",
    name: m.purchaseHistory,
    url: "/account/orders",
    icon: Receipt,
    content: PurchaseHistory,
  },
  {
    tab: "credit",
    name: m.storeCredit,
    url: "/account/credit",
    icon: Wallet,
    content: StoreCreditPanel,
  },
  {
    tab: "profile",
    name: m.manageProfile,
    url: "/account/profile",
    icon: UserRound,
    content: ProfilePanel,
  },
];

export default function AccountPage(page: PageOf<"account">) {
  const user = useUser();
  // Where to go after signing out on this page.
  const wayOut = useRef(localUrl("/"));
  useGuestsLeave(wayOut);
  const tabs = useTabInSight(page.props.tab);
  // An order belongs to the purchase history tab.
  const shown = page.props.tab === "order" ? "orders" : page.props.tab;
  const here = TABS.find(({ tab }) => tab === shown) ?? (TABS[0] as Tab);
  const Content = here.content;
  const number = useOrderNumber();
  const isOrder = page.props.tab === "order";
  const name = isOrder ? orderName(number) : here.name();
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`${name} · ${page.shop.name}`}
        description={m.description({ shop: page.shop.name })}
      />
      <nav className={styles.tabs} aria-label={m.yourAccount()}>
        <ul ref={tabs}>
          {TABS.map(({ tab, name, url, icon: Icon }) => (
            <li key={tab}>
              <a href={localUrl(url)} aria-current={tab === here.tab ? "page" : undefined}>
                <Icon size={18} strokeWidth={1.5} aria-hidden />
                {name()}
              </a>
            </li>
          ))}
          <li>
            <button type="button" onClick={() => void signOutOrToast()}>
              <LogOut size={18} strokeWidth={1.5} aria-hidden />
              {m.logOut()}
            </button>
          </li>
        </ul>
      </nav>
      <div className={styles.content}>
        {isOrder && (
          <a className={styles.back} href={localUrl(here.url)}>
            <ChevronLeft size={18} strokeWidth={1.5} aria-hidden />
            {here.name()}
          </a>
        )}
        <h1>{name}</h1>
        <p className={`without-js ${styles.without}`}>{m.needsJavaScript()}</p>
        <div className="with-js">
          {user === null ? (
            <OrdersSkeleton />
          ) : (
            <Suspense fallback={<OrdersSkeleton />}>
              {isOrder ? (
                number && <OrderDetailsPanel key={`${user.uid} ${number}`} number={number} />
              ) : (
                <Content
                  key={user.uid}
                  user={user}
                  leaveTo={(url) => {
                    wayOut.current = url;
                  }}
                />
              )}
            </Suspense>
          )}
        </div>
      </div>
    </div>
  );
}

function orderName(number: string | null): string {
  return number === null ? m.order() : m.orderNumber({ number });
}

// On a phone the tabs scroll; brings the current one into view.
function useTabInSight(tab: AccountTab): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls on every change of tab.
  useEffect(() => {
    const here = list.current?.querySelector("[aria-current]")?.parentElement;
    if (list.current && here) list.current.scrollLeft = here.offsetLeft - list.current.offsetLeft;
  }, [tab]);
  return list;
}

// Redirects guests to the sign-in and back, and customers who sign out here to `wayOut`.
function useGuestsLeave(wayOut: RefObject<string>): void {
  const { loading, user } = useAuth();
  const wasKnown = useRef(false);
  useEffect(() => {
    if (user !== null) wasKnown.current = true;
    else if (!loading) redirect(wasKnown.current ? wayOut.current : loginUrl(location.pathname));
  }, [loading, user, wayOut]);
}

// The order number in the URL. Read after each navigation, when the URL is the new one; server
// markup is cached for everyone and has none.
function useOrderNumber(): string | null {
  const [number, setNumber] = useState<string | null>(null);
  useEffect(() => setNumber(orderNumberOf(location.pathname)));
  return number;
}
