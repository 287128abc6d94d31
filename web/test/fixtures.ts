// A small shop in the form in which the server sends it: one object for each page.

import { payProps } from "../src/features/payment/pay-samples";
import { NO_FILTERS } from "../src/features/search/listing-query";
import type {
  Article,
  Category,
  Listing,
  Page,
  Picture,
  PostCard,
  Product,
  ProductCard,
  ReviewPage,
  Shop,
  Variant,
  VariantCard,
} from "../src/lib/api.gen";
import type { PageName, PageOf } from "../src/lib/page";

export const NOW = "2026-11-15T10:00:00.000Z";
const SALE_END = "2026-11-16T12:30:05.000Z";

const address = (picture: string) => `/pictures/${picture}.webp`;

const picture = (src: string): Picture => ({
  src,
  width: null,
  height: null,
  colour: null,
  placeholder: null,
  alt: "",
  inColour: null,
});

const category = (_id: string, name: string, shows: string, products: number): Category => ({
  _id,
  name,
  img: address(shows),
  picture: picture(address(shows)),
  products,
});

export const categories = [
  category("audio", "Audio", "headphones_0", 21),
  category("kitchen", "Kitchen & Table", "mug_0", 3),
  category("lighting", "Lighting", "lamp_0", 2),
  category("watches", "Watches", "watch_0", 1),
  category("bags", "Bags", "tote_0", 1),
  category("vintage", "Vintage", "camera_0", 0),
];

export const shop: Shop = {
  name: "Haat",
  tagline: "Good things, honestly priced",
  phone: "+880 1700-000000",
  email: "hello@haat.example",
  address: "12 Market Road, Dhaka 1205",
  currency: "USD",
  currencies: ["USD", "BDT"],
  countries: [],
  languages: ["en", "bn"],
  sendsEmail: true,
  sendsSms: true,
  guestCheckout: false,
  year: 2026,
  categories,
  gallery: [{ picture: picture(address("mug_0")), link: "https://pictures.example/" }],
  demo: true,
  identity: {
    apiKey: "haat",
    projectId: "haat",
    authDomain: "shop.example",
    hosted: false,
    providers: ["google.com"],
    serviceUrl: null,
  },
  payments: [
    {
      provider: "cash_on_delivery",
      title: "Cash on delivery",
      enabled: true,
      amounts: ["USD", "BDT"].map((currency) => ({ currency, min: null, max: null })),
    },
    {
      provider: "card",
      title: "Credit card",
      enabled: true,
      amounts: ["USD", "BDT"].map((currency) => ({ currency, min: 0.5, max: 999_999.99 })),
    },
    {
      provider: "bkash",
      title: "bKash",
      enabled: true,
      amounts: [{ currency: "BDT", min: 10, max: 500_000 }],
    },
    { provider: "paypal", title: "PayPal", enabled: false, amounts: [] },
  ],
};

const card = (
  _id: string,
  name: string,
  img: string[],
  realPrice: number,
  buyPrice: number,
  rest: Partial<ProductCard> = {},
): ProductCard => ({
  _id,
  name,
  img: img.map(address),
  pictures: img.map(address).map(picture),
  realPrice,
  offerPrice: buyPrice,
  buyPrice,
  rating: 4.5,
  qtn: 12,
  brand: "Ghat",
  saleStart: null,
  saleEnd: buyPrice < realPrice ? SALE_END : null,
  backOrder: null,
  priceFrom: null,
  variantCount: 1,
  ...rest,
});

export const cards: ProductCard[] = [
  card("headphones", "Over-ear headphones in ivory", ["headphones_0", "headphones_1"], 249, 199, {
    variantCount: 2,
  }),
  card("lamp", "Mushroom table lamp with brass stem", ["lamp_0", "lamp_1"], 129.5, 103.6),
  card("watch", "Field watch, green dial, leather strap", ["watch_0", "watch_1"], 1240, 992),
  card("tote", "Structured leather tote", ["tote_0", "tote_1"], 310, 279, { qtn: 3 }),
  card("mug", "Stoneware mug with cork base", ["mug_0", "mug_1"], 18, 18, { rating: 4 }),
  card("chair", "Oak dining chair with wool seat", ["chair_0"], 420, 420, {
    rating: 5,
    variantCount: 3,
    priceFrom: 380,
  }),
  card("vase", "Terracotta floor vase", ["vase_0"], 64, 64, { qtn: 0, rating: 3.5 }),
  card(
    "speaker",
    "Portable speaker with a woven cover that fills a room and runs for twenty hours on one charge",
    ["speaker_0"],
    89.99,
    89.99,
    { rating: 0 },
  ),
];

export const product: Product = {
  _id: "headphones",
  name: "Over-ear headphones in ivory",
  sku: "GH-HP-0014",
  brand: "Ghat",
  img: ["headphones_0", "headphones_1"].map(address),
  pictures: ["headphones_0", "headphones_1"].map(address).map(picture),
  realPrice: 249,
  offerPrice: 199,
  buyPrice: 199,
  rating: 4.33,
  reviews: 12,
  qtn: 3,
  productType: "flashsale",
  fullDescription:
    "Quiet, light and made to be worn for a whole day. The cushions are memory foam under soft lambskin, and the arms are solid steel.\n\nThirty hours on one charge; ten minutes at the socket give three more. </script><b>Not markup</b> & not a problem.",
  options: [{ name: "Colour", param: "colour", values: ["Ivory", "Graphite"] }],
  variantCount: 2,
  backOrder: null,
  priceFrom: null,
  tags: ["wireless", "noise cancelling", "gift"],
  attributes: [
    { name: "Weight", value: "284 g" },
    { name: "Battery", value: "30 hours" },
    { name: "Connection", value: "Bluetooth 5.3, 3.5 mm" },
  ],
  category: "audio",
  status: "active",
  unitsSold: 214,
  createdAt: "2026-10-01T08:00:00.000Z",
  saleStart: "2026-11-14T00:00:00.000Z",
  saleEnd: SALE_END,
};

const variant = (_id: string, colour: string, img: string, rest: Partial<Variant>): Variant => ({
  _id,
  sku: `GH-HP-${colour}`,
  options: { Colour: colour },
  img: address(img),
  realPrice: 249,
  offerPrice: 199,
  buyPrice: 199,
  saleStart: "2026-11-14T00:00:00.000Z",
  saleEnd: SALE_END,
  qtn: 3,
  backOrder: null,
  ...rest,
});

// In stock, and sold out.
export const variants: [Variant, Variant] = [
  variant("headphones", "Ivory", "headphones_0", {}),
  variant("01jcq5", "Graphite", "headphones_1", { qtn: 0 }),
];

const wish = (of: ProductCard, _id: string, options: VariantCard["options"]): VariantCard => ({
  ...of,
  _id,
  product: of._id,
  options,
  variantCount: 1,
  priceFrom: null,
});

const reviews: ReviewPage = {
  summary: { rating: 4.33, count: 12, stars: [0, 0, 2, 4, 6] },
  reviews: [
    {
      _id: "01jcq3",
      name: "Mina </script><i>Das</i>",
      rating: 4,
      title: "Worn all day",
      body: "They <b>sit</b> lightly.\n\nThe case is large.",
      helpful: 3,
      language: "en",
      options: { Colour: "Ivory" },
      createdAt: "2026-11-02T08:00:00.000Z",
      editedAt: "2026-11-03T08:00:00.000Z",
    },
  ],
  sort: "newest",
  pageNumber: 1,
  pages: 2,
};

const openapi = {
  openapi: "3.1.0",
  info: { title: "Haat API", version: "0.1.0", description: "What programs can ask of the shop." },
  paths: {
    "/api/products": {
      get: {
        tags: ["Catalogue"],
        summary: "Lists products",
        description: "Newest first.",
        parameters: [
          {
            name: "limit",
            in: "query",
            schema: { type: "integer", format: "int32" },
            description: "How many at most.",
          },
        ],
        responses: {
          "200": {
            description: "The products",
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Category" } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Category: {
        type: "object",
        description: "A stall of the market.",
        required: ["_id"],
        properties: {
          _id: { type: "string" },
          img: { type: ["string", "null"], description: "Its picture." },
        },
      },
    },
  },
};

const article: Article = {
  title: "About Us",
  description: "Who we are.",
  updated: "2026-11-01",
  text: {
    lead: "<p>Welcome.</p>",
    sections: [{ id: "how", title: "How", html: "<p>Like this.</p>" }],
  },
  map: { latitude: 23.76, longitude: 90.37 },
  template: false,
};

const post: PostCard = {
  slug: "tea",
  title: "Tea",
  date: "2026-11-08",
  author: "Mitali Das",
  summary: "How to make it.",
  picture: null,
  alt: "",
  tags: ["kitchen"],
  minutes: 3,
};

const around = { origin: "https://shop.example", build: "test", language: "en", shop };

const listing: Listing = {
  products: cards.map((card) => ({
    ...card,
    nameParts: [
      { text: card.name.slice(0, 3), hit: true },
      { text: card.name.slice(3), hit: false },
    ],
    summary: "Closes out the room without pressing on your head…",
  })),
  total: 12_040,
  pageNumber: 1,
  pages: 3,
  size: 16,
  sort: "default",
  view: "grid",
  chosen: {
    brands: [],
    colours: ["Octarine"],
    options: [{ name: "Reach", value: "2 m" }],
    attributes: [],
    min: 20,
    max: null,
    inStock: true,
    rating: 4,
    new: false,
    onOffer: false,
  },
  facets: {
    categories: [{ _id: "audio", name: "Audio", count: 12_040 }],
    brands: Array.from({ length: 12 }, (_, at) => ({ value: `Maker ${at}`, count: 12 - at })),
    colours: [
      { value: "Octarine", count: 1 },
      { value: "Ink", count: 0 },
    ],
    options: [
      {
        name: "Reach",
        values: [
          { value: "2 m", count: 3 },
          { value: "10 m", count: 1 },
        ],
      },
    ],
    attributes: [],
    inStock: 9,
    ratings: [4, 3, 2, 1].map((rating) => ({ rating, count: 9 })),
    new: 0,
    onOffer: 2,
    price: { lowest: 9.5, highest: 1290.5 },
  },
};
const words = (title: string) => ({ title, text: "", more: "More" });

export const pages: { [Name in PageName]: PageOf<Name> } = {
  home: {
    ...around,
    page: "home",
    url: "/",
    props: {
      slides: [
        {
          picture: { ...picture(address("laptop_0")), alt: "A laptop on a table." },
          eyebrow: "Harrow 14 Laptop",
          title: "Carried daily",
          text: "Light enough.",
          link: "/product/harrow",
          linkText: "See it",
          focus: null,
          price: null,
        },
      ],
      features: [
        { icon: "delivery", title: "Free Delivery", text: "for all orders over $99", link: null },
      ],
      words: {
        flash: words("Flash Deal"),
        products: words("Products"),
        categories: words("Explore Popular Categories"),
        posts: words("Latest Blog"),
        newsletter: words("One letter a month"),
      },
      posts: [post],
      next: null,
      flash: cards.slice(0, 4),
      flashEnds: SALE_END,
      now: NOW,
      products: cards,
      total: cards.length,
    },
  },
  category: {
    ...around,
    page: "category",
    url: "/category/audio?sort=best&page=2",
    props: {
      category: category("audio", "Audio", "headphones_0", 40),
      ...listing,
      total: 40,
      pageNumber: 2,
      pages: 3,
      sort: "best",
    },
  },
  search: {
    ...around,
    page: "search",
    url: "/search?q=hedphones&category=audio&brand=Veldrun",
    props: {
      ...listing,
      q: "hedphones",
      category: "audio",
      corrected: "headphones",
      fewerWords: false,
      sort: "relevance",
      view: "list",
      chosen: { ...listing.chosen, brands: ["Veldrun"] },
      popular: [],
    },
  },
  product: {
    ...around,
    page: "product",
    url: "/product/headphones",
    props: {
      product,
      variants,
      allVariants: true,
      choice: ["Ivory"],
      variant: variants[0],
      category: category("audio", "Audio", "headphones_0", 40),
      related: cards.slice(1, 5),
      reviews,
      terms: {
        delivery: { least: 2, most: 4 },
        shipping: 40,
        freeDeliveryOver: 99,
        returnDays: 7,
        includedTaxes: [],
        lowestPriceDays: 0,
      },
      now: NOW,
    },
  },
  cart: { ...around, page: "cart", url: "/cart", props: { step: "cart" } },
  checkout: { ...around, page: "checkout", url: "/checkout", props: {} },
  track: { ...around, page: "track", url: "/track", props: {} },
  pay: {
    ...around,
    page: "pay",
    url: "/pay/7K3M-9QXF?key=5f1c",
    props: payProps(),
  },
  "gift-card": { ...around, page: "gift-card", url: "/gift-card", props: {} },
  account: { ...around, page: "account", url: "/account", props: { tab: "dashboard" } },
  wishlist: { ...around, page: "wishlist", url: "/wishlist", props: {} },
  "shared-wishlist": {
    ...around,
    page: "shared-wishlist",
    url: "/wishlist/0123456789abcdef0123456789abcdef",
    props: {
      name: "Mina Das",
      products: cards
        .slice(0, 3)
        .map((card, at) => wish(card, `${card._id}-${at}`, { Colour: "Ivory" })),
    },
  },
  "back-in-stock": {
    ...around,
    page: "back-in-stock",
    url: "/back-in-stock/leave",
    props: { moment: "leave" },
  },
  login: { ...around, page: "login", url: "/login", props: {} },
  register: { ...around, page: "register", url: "/register", props: {} },
  signup: { ...around, page: "signup", url: "/signup", props: {} },
  "auth-action": { ...around, page: "auth-action", url: "/auth/action", props: {} },
  "api-docs": { ...around, page: "api-docs", url: "/api/docs", props: { openapi } },
  blog: { ...around, page: "blog", url: "/blog", props: { posts: [post] } },
  post: {
    ...around,
    page: "post",
    url: "/blog/tea",
    props: {
      post,
      text: article.text,
      previous: null,
      next: { slug: "coffee", title: "Coffee" },
      products: cards.slice(0, 2),
      now: NOW,
    },
  },
  about: {
    ...around,
    page: "about",
    url: "/about",
    props: { article, questions: article.text.sections },
  },
  contact: {
    ...around,
    page: "contact",
    url: "/contact",
    props: {
      article,
      form: { button: "Send message", reply: "A person answers within a day." },
      sent: false,
      longestName: 100,
      longestMessage: 5000,
    },
  },
  policy: { ...around, page: "policy", url: "/privacy", props: { policy: "privacy", article } },
  newsletter: {
    ...around,
    page: "newsletter",
    url: "/newsletter/leave",
    props: { moment: "leave" },
  },
  offline: { ...around, page: "offline", url: "/offline", props: {} },
  "dev-ui": { ...around, page: "dev-ui", url: "/dev/ui", props: { products: cards.slice(0, 4) } },
  "not-found": { ...around, page: "not-found", url: "/not-found", props: {} },
  error: {
    ...around,
    page: "error",
    url: "/",
    props: {
      status: 500,
      code: "internal",
      params: {},
      title: "Internal",
      message: "Please try again.",
      requestId: "req-1",
    },
  },
};

export const allPages: Page[] = Object.values(pages);

// With no parameter but its page.
export const plainCategory: PageOf<"category"> = {
  ...pages.category,
  url: "/category/audio?page=2",
  props: { ...pages.category.props, sort: "default", chosen: NO_FILTERS },
};
