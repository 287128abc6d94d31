import Ellipsis from "lucide-react/icons/ellipsis";
import Heart from "lucide-react/icons/heart";
import Inbox from "lucide-react/icons/inbox";
import { type ReactNode, useState } from "react";
import { CartSteps } from "../features/cart/cart-steps";
import { Quantity } from "../features/cart/quantity";
import { Highlight } from "../features/catalog/highlight";
import { Price } from "../features/catalog/price";
import { ProductGrid } from "../features/catalog/product-grid";
import { ProductSkeletons } from "../features/catalog/product-skeletons";
import { Stock } from "../features/catalog/stock";
import { Slider } from "../features/content/slider";
import { PageHead } from "../features/layout/page-head";
import { PaymentIcons } from "../features/layout/payment-icons";
import { OrderTimeline } from "../features/orders/order-timeline";
import { MethodCards } from "../features/payment/method-cards";
import { PayLink } from "../features/payment/pay-link";
import { payProps, payStates } from "../features/payment/pay-samples";
import { PayView } from "../features/payment/pay-view";
import { CheckboxList, RadioList } from "../features/search/checkbox-list";
import { Swatch } from "../features/search/swatch";
import type { HomeSlide, PaymentMethod, ProductCard } from "../lib/api.gen";
import { openOverlay } from "../lib/overlay";
import type { PageOf } from "../lib/page";
import { toast } from "../lib/toast";
import { productUrl } from "../lib/urls";
import { Accordion } from "../ui/accordion";
import { Button, ButtonLink, SubmitButton } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Drawer } from "../ui/drawer";
import { EmptyState, LoadError } from "../ui/empty-state";
import { Field } from "../ui/field";
import { IconButton } from "../ui/icon-button";
import { Menu } from "../ui/menu";
import { Pagination } from "../ui/pagination";
import { Select } from "../ui/select";
import { Skeleton } from "../ui/skeleton";
import { StarInput } from "../ui/star-input";
import { Stars } from "../ui/stars";
import { Tabs } from "../ui/tabs";
import { Tooltip } from "../ui/tooltip";
import styles from "./dev-ui.module.css";

// More than are shown at once, one selected, one without products and one unknown.
const COLOURS = ["Ink", "Sand", "Moss", "Brass", "Clay", "Octarine", "Oak", "Sage", "Slate"].map(
  (value, at) => ({ value, count: value === "Sand" ? 0 : 12 - at }),
);
const RATINGS = [
  { value: "4", label: "4 stars and up", count: 1200 },
  { value: "3", label: "3 stars and up", count: 0 },
];
const FOUND = [
  { text: "Desk ", hit: false },
  { text: "Lamp", hit: true },
];

// All components in all states, for whoever changes one. Demo shops only.
export default function DevUi(page: PageOf<"dev-ui">) {
  const { products } = page.props;
  return (
    <>
      <div className={`wrap ${styles.page}`}>
        <PageHead
          page={page}
          title={`Parts · ${page.shop.name}`}
          description="Every part that pages are made of."
        />
        <h1>Parts</h1>
        <Example name="Buttons">
          <Button>Primary</Button>
          <Button quiet>Quiet</Button>
          <Button disabled>Off</Button>
          <ButtonLink href="/dev/ui">A link</ButtonLink>
          <IconButton label="An icon">
            <Heart size={18} strokeWidth={1.5} aria-hidden />
          </IconButton>
          <IconButton label="A floating icon" floating>
            <Heart size={18} strokeWidth={1.5} aria-hidden />
          </IconButton>
          <IconButton label="An icon that is off" disabled>
            <Heart size={18} strokeWidth={1.5} aria-hidden />
          </IconButton>
          <span className={styles.narrow}>
            <SubmitButton busy>Busy</SubmitButton>
          </span>
        </Example>
        <Example name="Fields">
          <span className={styles.narrow}>
            <Field label="Plain" name="plain" />
          </span>
          <span className={styles.narrow}>
            <Field label="With an error" name="error" error="Please write the whole address." />
          </span>
          <Select label="Choice" options={[{ value: "a", label: "The first" }]} />
          <Amount />
        </Example>
        <Example name="Choices">
          <div className={styles.narrow}>
            <CheckboxList
              name="colour"
              counts={COLOURS}
              on={["Ink"]}
              mark={(colour) => <Swatch colour={colour} />}
            />
          </div>
          <div className={styles.narrow}>
            <RadioList name="rating" current="" any="Any" options={RATINGS} />
          </div>
          <p>
            <Highlight name="Desk Lamp" parts={FOUND} />
          </p>
        </Example>
        <Example name="Overlays">
          <Overlays />
        </Example>
        <Example name="Menu and tooltip">
          <Menu
            trigger={
              <Button quiet>
                <Ellipsis size={18} strokeWidth={1.5} aria-hidden /> More
              </Button>
            }
            items={[
              { id: "home", name: "A link", href: "/" },
              { id: "say", name: "An action", onSelect: () => toast.success("Done.") },
              { id: "off", name: "Off", disabled: true, onSelect: () => {} },
            ]}
          />
          <Tooltip text="What the icon means, in words">
            <Button quiet>Rest on me</Button>
          </Tooltip>
        </Example>
        <Example name="Toasts">
          <Button quiet onClick={() => toast.success("Successfully add your item!")}>
            Good news
          </Button>
          <Button quiet onClick={() => toast.error("That did not work.")}>
            Bad news
          </Button>
        </Example>
        <Example name="Tabs" wide>
          <Tabs
            label="An example"
            tabs={[
              { id: "one", name: "Description", content: <p>The first panel.</p> },
              { id: "two", name: "Information", content: <p>The second panel.</p> },
              { id: "three", name: "Off", content: null, disabled: true },
            ]}
          />
        </Example>
        <Example name="Accordion" wide>
          <Accordion
            items={[
              { id: "one", title: "What does delivery cost?", content: <p>As the cart says.</p> },
              { id: "two", title: "Can I send things back?", content: <p>Within seven days.</p> },
            ]}
          />
        </Example>
        <Example name="Steps" wide>
          <CartSteps current="checkout" />
        </Example>
        <Example name="Price, stars, stock, payment">
          <Price real={249} buy={199} />
          <Price real={249} buy={249} large />
          <Stars rating={0} />
          <Stars rating={3.5} />
          <Stars rating={5} />
          <StarsToGive />
          <Stock left={12} />
          <Stock left={2} />
          <Stock left={0} />
          <PaymentIcons />
        </Example>
        <Example name="Ways to pay">
          <PayWays />
        </Example>
        <Example name="An order that awaits its payment">
          <OrderTimeline
            history={[{ status: "awaiting_payment", at: "2026-11-15T10:00:00.000Z" }]}
            paymentStatus="awaiting_payment"
          />
          <PayLink button order={{ number: "7K3M-9QXF", payUrl: "/pay/7K3M-9QXF?key=none" }} />
        </Example>
        <Example name="Payment page" wide>
          <PayStates />
        </Example>
        <Example name="Pages" wide>
          <Pagination current={3} pages={12} urlOf={() => "/dev/ui"} />
        </Example>
        <Example name="Waiting" wide>
          <Skeleton height="1.25rem" width="40%" />
          <ProductSkeletons count={4} />
        </Example>
        <Example name="Empty and failed" wide>
          <EmptyState
            icon={<Inbox size={40} strokeWidth={1} aria-hidden />}
            title="Nothing here yet"
          >
            <p>What it means, and a way on.</p>
          </EmptyState>
          <LoadError
            title="The list could not be loaded"
            retry={() => toast.success("Asked again.")}
          />
        </Example>
        <Example name="Cards" wide>
          <ProductGrid products={products} />
        </Example>
      </div>
      <Slider label="An example" slides={products.slice(0, 3).map(slideOf)} />
    </>
  );
}

function Example({
  name,
  wide = false,
  children,
}: {
  name: string;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={styles.part}>
      <h2>{name}</h2>
      <div className={wide ? undefined : styles.row}>{children}</div>
    </section>
  );
}

function Amount() {
  const [value, setValue] = useState(1);
  return <Quantity of="tea" value={value} stock={7} onChange={setValue} />;
}

const WAYS: PaymentMethod[] = [
  way("cash_on_delivery", { currency: "USD", min: null, max: null }),
  way("card", { currency: "USD", min: 0.5, max: 999_999 }),
  // Not of this amount, not in this currency, not at all.
  way("sslcommerz", { currency: "USD", min: 200, max: 5000 }),
  way("bkash", { currency: "BDT", min: 10, max: 500_000 }),
  way("paypal"),
  way("google_pay"),
];

function way(
  provider: PaymentMethod["provider"],
  ...amounts: PaymentMethod["amounts"]
): PaymentMethod {
  return { provider, title: provider, enabled: amounts.length > 0, amounts };
}

function PayWays() {
  return (
    <div>
      <p id="ways">For $196.00</p>
      <MethodCards
        methods={WAYS}
        amount={196}
        currency="USD"
        cashFee={2}
        input={(provider) => ({ name: "way", defaultChecked: provider === "card" })}
        labelledBy="ways"
      />
    </div>
  );
}

const nothing = () => {};

function PayStates() {
  const [shown, setShown] = useState("awaiting");
  const now = payProps(payStates[shown]);
  return (
    <>
      <Select
        label="State"
        value={shown}
        options={Object.keys(payStates).map((state) => ({ value: state, label: state }))}
        onChange={(event) => setShown(event.target.value)}
      />
      <PayView
        key={shown}
        heading="h2"
        now={now}
        tries={0}
        unreachable={false}
        refresh={nothing}
        replace={nothing}
      />
    </>
  );
}

function StarsToGive() {
  const [value, setValue] = useState(4);
  const labels: [string, string, string, string, string] = ["1", "2", "3", "4", "5"];
  return <StarInput label="Your rating" labels={labels} value={value} onChange={setValue} />;
}

function Overlays() {
  const [open, setOpen] = useState<"dialog" | "left" | "right" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button quiet onClick={() => setOpen("dialog")}>
        Dialog
      </Button>
      <Button quiet onClick={() => setOpen("left")}>
        Drawer, left
      </Button>
      <Button quiet onClick={() => setOpen("right")}>
        Drawer, right
      </Button>
      <Button quiet onClick={() => openOverlay("cart")}>
        Cart panel
      </Button>
      <Dialog open={open === "dialog"} onClose={close} title="A dialog">
        <p className={styles.inside}>Something that wants an answer first.</p>
      </Dialog>
      <Drawer open={open === "left"} onClose={close} title="From the left" side="start" thumb>
        <p className={styles.inside}>On a phone it comes from below.</p>
      </Drawer>
      <Drawer open={open === "right"} onClose={close} title="From the right" side="end">
        <p className={styles.inside}>Beside the page.</p>
      </Drawer>
    </>
  );
}

function slideOf(product: ProductCard): HomeSlide {
  return {
    picture: product.pictures[0] ?? null,
    eyebrow: product.brand,
    title: product.name,
    text: "A photograph and a few words, not a poster.",
    link: productUrl(product._id),
    linkText: "See it",
    price: product,
    focus: null,
  };
}
