import Ellipsis from "lucide-react/icons/ellipsis";
import Heart from "lucide-react/icons/heart";
import Inbox from "lucide-react/icons/inbox";
import { type ReactNode, useState } from "react";
import { CartSteps } from "../components/cart-steps";
import { Swatch } from "../components/finding/swatch";
import { Radios, Ticks } from "../components/finding/ticks";
import { Marked } from "../components/marked";
import { PageHead } from "../components/page-head";
import { Pagination } from "../components/pagination";
import { PaymentMarks } from "../components/payment-marks";
import { Price } from "../components/price";
import { ProductGrid } from "../components/product-grid";
import { ProductSkeletons } from "../components/product-skeletons";
import { Quantity } from "../components/quantity";
import { Slider } from "../components/slider";
import { Stock } from "../components/stock";
import type { HomeSlide, ProductCard } from "../lib/api.gen";
import { openOverlay } from "../lib/overlay";
import type { PageOf } from "../lib/page";
import { toast } from "../lib/toast";
import { productUrl } from "../lib/urls";
import { Accordion } from "../ui/accordion";
import { Button, ButtonLink, SubmitButton } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Drawer } from "../ui/drawer";
import { Empty, Failed } from "../ui/empty";
import { Field } from "../ui/field";
import { IconButton } from "../ui/icon-button";
import { Menu } from "../ui/menu";
import { Select } from "../ui/select";
import { Skeleton } from "../ui/skeleton";
import { StarInput } from "../ui/star-input";
import { Stars } from "../ui/stars";
import { Tabs } from "../ui/tabs";
import { Tooltip } from "../ui/tooltip";
import styles from "./dev-ui.module.css";

// More than are shown at once, one that is on, one that leaves nothing and one that nobody knows.
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

// Every part that pages are made of, in all its states, for whoever changes one. In demo shops only.
export default function DevUi(page: PageOf<"devUi">) {
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
        <Part name="Buttons">
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
        </Part>
        <Part name="Fields">
          <span className={styles.narrow}>
            <Field label="Plain" name="plain" />
          </span>
          <span className={styles.narrow}>
            <Field label="With a fault" name="fault" fault="Please write the whole address." />
          </span>
          <Select label="Choice" options={[{ value: "a", label: "The first" }]} />
          <Amount />
        </Part>
        <Part name="Choices">
          <div className={styles.narrow}>
            <Ticks
              name="colour"
              counts={COLOURS}
              on={["Ink"]}
              mark={(colour) => <Swatch colour={colour} />}
            />
          </div>
          <div className={styles.narrow}>
            <Radios name="rating" said="" any="Any" options={RATINGS} />
          </div>
          <p>
            <Marked name="Desk Lamp" parts={FOUND} />
          </p>
        </Part>
        <Part name="Overlays">
          <Overlays />
        </Part>
        <Part name="Menu and tooltip">
          <Menu
            trigger={
              <Button quiet>
                <Ellipsis size={18} strokeWidth={1.5} aria-hidden /> More
              </Button>
            }
            items={[
              { id: "home", name: "A link", href: "/" },
              { id: "say", name: "A deed", onSelect: () => toast.success("Done.") },
              { id: "off", name: "Off", disabled: true, onSelect: () => {} },
            ]}
          />
          <Tooltip text="What the icon means, in words">
            <Button quiet>Rest on me</Button>
          </Tooltip>
        </Part>
        <Part name="Toasts">
          <Button quiet onClick={() => toast.success("Successfully add your item!")}>
            Good news
          </Button>
          <Button quiet onClick={() => toast.error("That did not work.")}>
            Bad news
          </Button>
        </Part>
        <Part name="Tabs" wide>
          <Tabs
            label="An example"
            tabs={[
              { id: "one", name: "Description", content: <p>The first panel.</p> },
              { id: "two", name: "Information", content: <p>The second panel.</p> },
              { id: "three", name: "Off", content: null, disabled: true },
            ]}
          />
        </Part>
        <Part name="Accordion" wide>
          <Accordion
            items={[
              { id: "one", title: "What does delivery cost?", content: <p>As the cart says.</p> },
              { id: "two", title: "Can I send things back?", content: <p>Within seven days.</p> },
            ]}
          />
        </Part>
        <Part name="Steps" wide>
          <CartSteps current="checkout" />
        </Part>
        <Part name="Price, stars, stock, payment">
          <Price real={249} buy={199} />
          <Price real={249} buy={249} large />
          <Stars rating={0} />
          <Stars rating={3.5} />
          <Stars rating={5} />
          <StarsToGive />
          <Stock left={12} />
          <Stock left={2} />
          <Stock left={0} />
          <PaymentMarks />
        </Part>
        <Part name="Pages" wide>
          <Pagination current={3} pages={12} urlOf={() => "/dev/ui"} />
        </Part>
        <Part name="Waiting" wide>
          <Skeleton height="1.25rem" width="40%" />
          <ProductSkeletons count={4} />
        </Part>
        <Part name="Empty and failed" wide>
          <Empty icon={<Inbox size={40} strokeWidth={1} aria-hidden />} title="Nothing here yet">
            <p>What it means, and a way on.</p>
          </Empty>
          <Failed what="The list" retry={() => toast.success("Asked again.")} />
        </Part>
        <Part name="Cards" wide>
          <ProductGrid products={products} />
        </Part>
      </div>
      <Slider label="An example" slides={products.slice(0, 3).map(slideOf)} />
    </>
  );
}

function Part({
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

function StarsToGive() {
  const [value, setValue] = useState(4);
  const words: [string, string, string, string, string] = ["1", "2", "3", "4", "5"];
  return <StarInput label="Your rating" words={words} value={value} onChange={setValue} />;
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
      <Drawer open={open === "left"} onClose={close} title="From the left" side="left" thumb>
        <p className={styles.inside}>On a phone it comes from below.</p>
      </Drawer>
      <Drawer open={open === "right"} onClose={close} title="From the right" side="right">
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
