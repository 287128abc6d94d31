import Heart from "lucide-react/icons/heart";
import { PageHead } from "../components/page-head";
import { ProductGrid } from "../components/product-grid";
import { ProductSkeletons } from "../components/product-skeletons";
import { useCards } from "../lib/cards";
import type { PageOf } from "../lib/page";
import { useWishlist } from "../lib/wishlist";
import { ButtonLink } from "../ui/button";
import { Empty, Failed } from "../ui/empty";
import styles from "./wishlist.module.css";

export default function WishlistPage(page: PageOf<"wishlist">) {
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHead
        page={page}
        title={`Wishlist · ${page.shop.name}`}
        description={`What you would like to have from ${page.shop.name}.`}
      />
      <h1>Wishlist</h1>
      <p className={`without-js ${styles.without}`}>
        The wishlist needs JavaScript: it is kept in your browser alone.
      </p>
      <div className={`with-js ${styles.list}`}>
        <Wishes />
      </div>
    </div>
  );
}

function Wishes() {
  const ids = useWishlist();
  const { cards, failed, retry } = useCards(ids);
  if (ids?.length === 0 || cards?.length === 0) {
    return (
      <Empty icon={<Heart size={48} strokeWidth={1} aria-hidden />} title="Nothing wished for yet">
        <p>A tap on the heart of a product keeps it here.</p>
        <ButtonLink href="/">Browse the products</ButtonLink>
      </Empty>
    );
  }
  if (failed) return <Failed what="Your wishlist" retry={retry} />;
  if (cards === null) return <ProductSkeletons count={4} />;
  return (
    <>
      <h2 className="visually-hidden">Products</h2>
      <ProductGrid products={cards} leads />
    </>
  );
}
