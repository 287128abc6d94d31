import Heart from "lucide-react/icons/heart";
import { PageHead } from "../components/page-head";
import { ProductGrid } from "../components/product-grid";
import { ProductSkeletons } from "../components/product-skeletons";
import { WishlistShare } from "../components/wishlist-share";
import type { ProductCard } from "../lib/api.gen";
import { move } from "../lib/buying";
import { useCards } from "../lib/cards";
import type { PageOf } from "../lib/page";
import { count } from "../lib/text";
import { productUrl } from "../lib/urls";
import { useWishlist } from "../lib/wishlist";
import { Button, ButtonLink } from "../ui/button";
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
      <Wishes origin={page.origin} />
    </div>
  );
}

function Wishes({ origin }: { origin: string }) {
  const ids = useWishlist();
  const { cards, failed, retry } = useCards(ids);
  const nothing = ids?.length === 0 || cards?.length === 0;
  const there = nothing ? [] : (cards ?? []).filter(({ qtn }) => qtn > 0);
  return (
    <>
      <div className={styles.head}>
        <h1>Wishlist</h1>
        {!nothing && cards && <p>{count(cards.length, "product", "products")}</p>}
        {there.length > 1 && (
          <Button onClick={() => move(there)}>{`Move all ${there.length} to cart`}</Button>
        )}
      </div>
      <p className={`without-js ${styles.without}`}>
        The wishlist needs JavaScript: your browser fills it in.
      </p>
      <div className={`with-js ${styles.list}`}>
        {nothing ? (
          <Empty
            icon={<Heart size={48} strokeWidth={1} aria-hidden />}
            title="Nothing wished for yet"
          >
            <p>A tap on the heart of a product keeps it here.</p>
            <ButtonLink href="/">Browse the products</ButtonLink>
          </Empty>
        ) : failed ? (
          <Failed what="Your wishlist" retry={retry} />
        ) : cards === null ? (
          <ProductSkeletons count={4} />
        ) : (
          <>
            <h2 className="visually-hidden">Products</h2>
            <ProductGrid products={cards} leads deed={(product) => <Move product={product} />} />
          </>
        )}
        {ids && <WishlistShare origin={origin} empty={nothing} />}
      </div>
    </>
  );
}

function Move({ product }: { product: ProductCard }) {
  const { _id, name, qtn } = product;
  if (qtn === 0) {
    return (
      <ButtonLink quiet href={productUrl(_id)}>
        Let me know<span className="visually-hidden"> when {name} is back</span>
      </ButtonLink>
    );
  }
  return (
    <Button quiet onClick={() => move([product])}>
      Move to cart<span className="visually-hidden">: {name}</span>
    </Button>
  );
}
