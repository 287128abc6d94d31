// Made from the Rust structs by `make types`. Do not edit.

export type AboutProps = {
  article: Article;
  questions: Section[];
};

export type AccessToken = {
  /** What the calls for customers want as Bearer; lives for 15 minutes. */
  accessToken: string;
};

export type AccountProps = {
  tab: AccountTab;
};

/** The parts of a customer's own page. */
export type AccountTab = "dashboard" | "orders" | "order" | "credit" | "profile";

export type Address = {
  _id: Id;
  address: string;
  /** Who a parcel is for. */
  name: string;
  phone: string;
  /** Whether the checkout begins with it; of each customer's, one does. */
  usual: boolean;
};

/** Where somebody stands who waits for what is out of stock, or does not want to any more. */
export type AlertMoment = "asked" | "leave" | "left" | "stale";

export type ApiDocsProps = {
  openapi: unknown;
};

/** A page of information. */
export type Article = {
  description: string;
  map: Spot | null;
  /** It came with the program, and the shopkeeper has not checked it yet. */
  template: boolean;
  text: Text;
  title: string;
  /** The day of its last change. */
  updated: string | null;
};

/** A line of the Information tab. */
export type Attribute = {
  name: string;
  value: string;
};

export type BackInStockProps = {
  moment: AlertMoment;
};

/** Who pays. */
export type BilledTo = {
  address: string;
  email: string;
  name: string;
  phone: string;
};

export type BlogProps = {
  /** The newest first. */
  posts: PostCard[];
};

export type Cart = {
  /** At most 100. A product that is named twice counts once, with both quantities. */
  lines: CartLine[];
};

export type CartLine = {
  _id: Id;
  /** 1 to 100. */
  qtn: number;
};

export type CartProps = {
  step: CartStep;
};

/** Where on the way to an order the cart's page stands. */
export type CartStep = "cart" | "checkout" | "completed";

export type Category = {
  _id: Id;
  img: string;
  name: string;
  picture: Picture;
  /** How many products it holds. */
  products: number;
};

export type CategoryCount = {
  _id: Id;
  count: number;
  name: string;
};

export type CategoryProps = Listing & {
  category: Category;
};

/** A category with its products, newest first. */
export type CategoryWithProducts = {
  _id: Id;
  img: string;
  name: string;
  picture: Picture;
  products: Product[];
};

export type Change = "gone" | "less";

/** What a cart that is not what it was is answered. */
export type ChangedCart = {
  /** The code is `stock`, `price`, `gone` or `credit`. */
  error: ErrorDetail;
  /** What the cart is and costs now. */
  quote: Quote;
};

/** The filters that are on. */
export type Chosen = {
  brands: string[];
  colours: string[];
  inStock: boolean;
  max: Dollars | null;
  min: Dollars | null;
  new: boolean;
  onOffer: boolean;
  /** So many stars or more. */
  rating: number | null;
};

/** What the form on the contact page says. */
export type ContactForm = {
  /** What its button says. */
  button: string;
  /** Who answers a message, and when; for the page and the receipt. */
  reply: string;
};

export type ContactProps = {
  article: Article;
  form: ContactForm;
  longestMessage: number;
  longestName: number;
  /** A message was sent just now, by a browser without JavaScript. */
  sent: boolean;
};

/** What a page shows, by its name. */
export type Content = {
  page: "home";
  props: HomeProps;
} | {
  page: "category";
  props: CategoryProps;
} | {
  page: "search";
  props: SearchProps;
} | {
  page: "product";
  props: ProductProps;
} | {
  page: "cart";
  props: CartProps;
} | {
  page: "checkout";
  props: NoProps;
} | {
  page: "track";
  props: NoProps;
} | {
  page: "account";
  props: AccountProps;
} | {
  page: "wishlist";
  props: NoProps;
} | {
  page: "sharedWishlist";
  props: SharedWishlistProps;
} | {
  page: "backInStock";
  props: BackInStockProps;
} | {
  page: "login";
  props: NoProps;
} | {
  page: "register";
  props: NoProps;
} | {
  page: "signup";
  props: NoProps;
} | {
  page: "authAction";
  props: NoProps;
} | {
  page: "apiDocs";
  props: ApiDocsProps;
} | {
  page: "blog";
  props: BlogProps;
} | {
  page: "post";
  props: PostProps;
} | {
  page: "about";
  props: AboutProps;
} | {
  page: "contact";
  props: ContactProps;
} | {
  page: "policy";
  props: PolicyProps;
} | {
  page: "newsletter";
  props: NewsletterProps;
} | {
  page: "offline";
  props: NoProps;
} | {
  page: "devUi";
  props: DevUiProps;
} | {
  page: "notFound";
  props: NoProps;
} | {
  page: "error";
  props: ErrorProps;
};

export type Count = {
  count: number;
  value: string;
};

/** An entry of the ledger; nothing of it ever changes. */
export type CreditEntry = {
  _id: Id;
  /** Negative where it was spent. */
  amount: Dollars;
  /** What there was afterwards. */
  balance: Dollars;
  createdAt: Timestamp;
  kind: CreditKind;
  /** Why; often nothing, because the order says it. */
  note: string;
  /** The number of the order that it is for. */
  order: string | null;
};

/** What an entry is for. */
export type CreditKind = "refund" | "spent" | "returned" | "granted" | "ended";

/** The currencies that prices are shown in. */
export type Currency = "USD" | "BDT";

export type Customer = {
  _id: string;
  email: string;
  name: string;
};

/** Everything that the storefront is built from, with goods to show it on. */
export type DevUiProps = {
  products: ProductCard[];
};

/** US dollars with at most two decimals */
export type Dollars = number;

/** What every failed call answers. */
export type ErrorBody = {
  error: ErrorDetail;
};

export type ErrorDetail = {
  /** Stable: programs may depend on it. */
  code: string;
  fields?: Field[];
  /** For people; may change. */
  message: string;
  requestId?: string | null;
};

export type ErrorProps = {
  message: string;
  requestId: string;
  status: number;
  title: string;
};

/** How many products each choice would leave, the other filters staying as they are. */
export type Facets = {
  /** The fullest first; at most 50, the chosen ones always among them. */
  brands: Count[];
  categories: CategoryCount[];
  /** The same; at most 30. */
  colours: Count[];
  inStock: number;
  new: number;
  onOffer: number;
  price: PriceSpan | null;
  /** 4, 3, 2 and 1 stars and up. */
  ratings: RatingCount[];
};

/** A promise of the shop. */
export type Feature = {
  icon: Icon;
  link: string | null;
  text: string;
  title: string;
};

export type Field = {
  message: string;
  name: string;
};

export type GalleryPicture = {
  link: string;
  picture: Picture | null;
};

/** How many a review has helped. */
export type Helped = {
  helpful: number;
};

/** A product in a list. */
export type Hit = ProductCard & {
  /** The name again, cut where it matches; empty where no words were looked for. */
  nameParts: Part[];
  /** How the description begins. */
  summary: string;
};

export type HomeProps = {
  features: Feature[];
  flash: ProductCard[];
  flashEnds: Timestamp | null;
  /** Where the products after these start, as `/api/products` takes it. */
  next: string | null;
  now: Timestamp;
  /** The newest posts. */
  posts: PostCard[];
  products: ProductCard[];
  slides: HomeSlide[];
  total: number;
  words: Sections;
};

export type HomeSlide = Slide & {
  price: Price | null;
};

/** The pictures beside a promise. */
export type Icon = "delivery" | "return" | "payment" | "support" | "guarantee" | "gift";

export type Id = string;

/** How the browser reaches the identity provider. */
export type IdentitySettings = {
  apiKey: string;
  authDomain: string;
  /** Whether it is a hosted Google project instead of this shop's own service. */
  hosted: boolean;
  projectId: string;
  /** The social providers that are set up. */
  providers: Provider[];
  /** Where a hosted service is, when it is not Google's own. */
  serviceUrl: string | null;
};

export type Invoice = {
  billedTo: BilledTo;
  /** The invoice, and a credit note for each refund. */
  documents: InvoiceDocument[];
  seller: Seller;
};

export type InvoiceDocument = {
  /** Why nothing of it is to be paid; null where it stands as it is. */
  cancelled: string | null;
  facts: InvoiceFact[];
  items: InvoiceItem[];
  number: string;
  sums: InvoiceSum[];
  title: string;
};

export type InvoiceFact = {
  name: string;
  value: string;
};

/** A line, with its amounts in the order's currency at its rate. */
export type InvoiceItem = {
  amount: string;
  name: string;
  price: string;
  quantity: number;
  sku: string;
};

export type InvoiceSum = {
  amount: string;
  name: string;
  /** Whether it is what the sums above come to. */
  total: boolean;
};

/** A customer's cart, in the order in which it was filled. What the shop does not sell any more is left out. */
export type KeptCart = {
  lines: KeptLine[];
};

export type KeptLine = {
  _id: Id;
  /** What it costs now. */
  buyPrice: Dollars;
  img: string[];
  name: string;
  qtn: number;
};

/** An order in a list: as it was agreed, and where it stands. */
export type ListedOrder = Order & {
  /** What was paid for it so far, less what was refunded, be it as store credit. */
  spent: Dollars;
  status: OrderStatus;
};

/** A page of products, and what can be chosen from here. */
export type Listing = {
  chosen: Chosen;
  facets: Facets | null;
  pageNumber: number;
  pages: number;
  products: Hit[];
  size: number;
  sort: Sort;
  /** How many there are in all; pages may end before. */
  total: number;
  view: View;
};

/** Where somebody stands on the way into the newsletter, or out of it. */
export type Moment = "form" | "sent" | "confirm" | "confirmed" | "leave" | "left" | "stale";

/** An address as it was typed. */
export type NewAddress = {
  address: string;
  name: string;
  phone: string;
  /** Makes it the usual one. The first is without asking, and the usual one stays so until another becomes it. */
  usual?: boolean;
};

export type NewCustomer = {
  /** Must be the ID token's own; may be left out. */
  email?: string;
  name?: string;
};

/** A message as it was typed. */
export type NewMessage = {
  email: string;
  message: string;
  name: string;
  /** What `/api/pass` gave; without a good one the form is taken less often. */
  pass?: string;
  /** For programs that fill in everything: people do not see it, and leave it empty. */
  website?: string;
};

/** An order to be placed. Unknown fields are refused, so that nothing that was meant is passed over. */
export type NewOrder = {
  address: string;
  /** What of the total is to be paid with store credit, as the shopper was shown it. Where that is all of it, nothing else is charged, whatever `payment` says. */
  credit?: number;
  /** What the shopper was shown the prices in. */
  currency?: Currency;
  /** At most 100. */
  lines: CartLine[];
  name: string;
  payment?: PaymentProvider;
  phone: string;
  /** What the shopper was shown, in US dollars; another total is a 409. */
  total: number;
};

/** A review as it was typed. */
export type NewReview = {
  body: string;
  /** 1 to 5. */
  rating: number;
  title: string;
};

/** Who wants to hear of which product, as it was typed. */
export type NewStockAlert = {
  email: string;
  product: Id;
  /** For programs that fill in everything: people do not see it, and leave it empty. */
  website?: string;
};

/** An address as it was typed. */
export type NewSubscriber = {
  email: string;
  /** What `/api/pass` gave; without a good one the form is taken less often. */
  pass?: string;
  /** For programs that fill in everything: people do not see it, and leave it empty. */
  website?: string;
};

export type NewsletterProps = {
  moment: Moment;
};

/** A page that is the same for everyone has none. */
export type NoProps = Record<string, never>;

/** An order as it was agreed; nothing of this ever changes. */
export type Order = {
  _id: Id;
  address: string;
  createdAt: Timestamp;
  /** What of the total was paid with store credit; the rest is what the payment is about. */
  credit: Dollars;
  /** What the shopper saw the prices in. */
  currency: Currency;
  email: string;
  lines: OrderLine[];
  name: string;
  number: OrderNumber;
  phone: string;
  /** Taka per US dollar at that moment, in ten-thousandths. */
  rate: Rate;
  shipping: Dollars;
  subTotal: Dollars;
  total: Dollars;
  vat: Dollars;
};

/** A step of an order's history. */
export type OrderEvent = {
  at: Timestamp;
  /** What was said with it; often nothing. */
  note: string;
  status: OrderStatus;
};

/** A line as it was when the order was placed. */
export type OrderLine = {
  _id: Id;
  buyPrice: Dollars;
  name: string;
  /** The address of the product's first picture. */
  picture: string;
  qtn: number;
  sku: string;
};

/** An order with what has become of it. */
export type OrderNow = Order & {
  /** Whether the customer can still cancel it. */
  canCancel: boolean;
  /** The first step first. */
  history: OrderEvent[];
  payment: OrderPayment;
  returnUntil: Timestamp | null;
  /** What can still be returned; nothing where that cannot be asked. */
  returnable: ReturnLine[];
  /** What was asked to be returned, the first one first. */
  returns: OrderReturn[];
  status: OrderStatus;
};

export type OrderNumber = string;

/** An order's payment, as its owner sees it. */
export type OrderPayment = {
  amount: Dollars;
  changedAt: Timestamp;
  provider: PaymentProvider;
  /** What of it was given back. */
  refunded: Dollars;
  state: PaymentState;
};

/** What a customer sends back of an order. */
export type OrderReturn = {
  /** What was given back as store credit. */
  credit: Dollars;
  /** What was paid for its goods. */
  goods: Dollars;
  lines: ReturnLine[];
  /** What was given back in the way in which it was paid. */
  paid: Dollars;
  requestedAt: Timestamp;
  settledAt: Timestamp | null;
  state: ReturnState;
  /** Their share of the order's VAT. */
  vat: Dollars;
};

/** Where an order stands. */
export type OrderStatus = "placed" | "confirmed" | "packed" | "shipped" | "delivered" | "cancelled" | "return_requested" | "returned" | "refunded" | "partly_refunded";

/** A review as its writer and the shopkeeper see it. */
export type OwnReview = Review & {
  /** Why the shopkeeper does not show it; empty where there is nothing against it. */
  note: string;
  /** The product that it is about. */
  product: Id;
  state: ReviewState;
};

/** Everything that a page is made from. */
export type Page = Content & {
  /** Which build of the storefront made this. */
  build: string;
  /** Where the shop stands, for addresses that must be whole. */
  origin: string;
  shop: Shop;
  /** The page's one address. */
  url: string;
};

/** A piece of a name. */
export type Part = {
  /** Whether it is what was looked for. */
  hit: boolean;
  text: string;
};

/** What shows that a form was open for a moment. */
export type Pass = {
  /** Good from two seconds after now, for twelve hours. */
  pass: string;
};

/** A way to pay. */
export type PaymentMethod = {
  /** Whether it can be chosen. */
  enabled: boolean;
  provider: PaymentProvider;
  title: string;
};

/** Who takes the money. */
export type PaymentProvider = "cash_on_delivery" | "card" | "paypal" | "google_pay" | "store_credit";

/** What has become of a payment. */
export type PaymentState = "pending" | "authorised" | "captured" | "voided" | "refunded" | "failed";

export type Photo = {
  /** The whole address of the picture. */
  photoURL: string;
};

/** A picture as pages need it. */
export type Picture = {
  /** What is seen, in words; empty where nobody said. */
  alt: string;
  /** The colour that most of it has: `#c8b4a0`. */
  colour: string | null;
  height: number | null;
  /** The colour of the product that it shows; null for the first. */
  inColour: string | null;
  /** A few pixels of it to be shown blurred until it comes, as a `data:` address. */
  placeholder: string | null;
  /** Its address. One that starts with `/media/` has brothers: its last part may be any of the widths 160, 320, 480, 640, 800, 1200, 1600 with `.avif`, `.webp` or `.jpg`. A width above the picture's own is answered in its own. */
  src: string;
  /** In pixels, like the height; null where the shop does not keep the picture itself. */
  width: number | null;
};

export type Policy = "privacy" | "terms" | "refund" | "return";

export type PolicyProps = {
  article: Article;
  policy: Policy;
};

/** What a list shows of a post. */
export type PostCard = {
  /** What the picture shows. */
  alt: string;
  author: string;
  /** The day: 2026-11-08. */
  date: string;
  /** How long it takes to read. */
  minutes: number;
  picture: Picture | null;
  slug: string;
  summary: string;
  tags: string[];
  title: string;
};

export type PostLink = {
  slug: string;
  title: string;
};

export type PostProps = {
  next: PostLink | null;
  now: Timestamp;
  post: PostCard;
  previous: PostLink | null;
  /** What it speaks of. */
  products: ProductCard[];
  text: Text;
};

/** What a product costs, and until when. */
export type Price = {
  /** What is charged now. */
  buyPrice: Dollars;
  /** The price while the offer runs; the list price where there is no offer. */
  offerPrice: Dollars;
  /** The list price. */
  realPrice: Dollars;
  saleEnd: Timestamp | null;
  saleStart: Timestamp | null;
};

export type PriceSpan = {
  highest: Dollars;
  lowest: Dollars;
};

export type Product = Price & {
  _id: Id;
  attributes: Attribute[];
  brand: string;
  /** The id of its category. */
  category: Id;
  colours: string[];
  createdAt: Timestamp;
  fullDescription: string;
  /** Addresses of its pictures, the first one first. */
  img: string[];
  name: string;
  /** The same pictures with what a page needs to show them. */
  pictures: Picture[];
  productType: string;
  /** How many are in stock. */
  qtn: number;
  /** 1 to 5: the mean of its reviews; 0 where there are none. */
  rating: number;
  /** How many reviews are shown. */
  reviews: number;
  sku: string;
  tags: string[];
  unitsSold: number;
};

/** What a list shows of a product. */
export type ProductCard = Price & {
  _id: Id;
  brand: string;
  /** At most two: the second is shown on hover. */
  img: string[];
  name: string;
  /** The same pictures; only the first has a placeholder, because the second comes on hover. */
  pictures: Picture[];
  qtn: number;
  rating: number;
};

export type ProductProps = {
  category: Category;
  now: Timestamp;
  product: Product;
  related: ProductCard[];
  reviews: ReviewPage;
};

export type ProductQuantity = {
  _id: Id;
  /** 0 to 100; none takes the product out. */
  qtn: number;
};

export type Profile = {
  displayName: string;
};

export type Provider = "google.com" | "facebook.com";

/** Quantities of products. */
export type Quantities = {
  /** At most 100. */
  lines: ProductQuantity[];
};

export type Quote = {
  /** What the cart shows: sub total and shipping. */
  cartTotal: Dollars;
  changesAt: Timestamp | null;
  lines: QuotedLine[];
  /** When this was true. */
  now: Timestamp;
  shipping: Dollars;
  subTotal: Dollars;
  /** What an order is charged: sub total, shipping and VAT. */
  total: Dollars;
  /** Charged at checkout. */
  vat: Dollars;
};

/** A cart's line as it stands now. */
export type QuotedLine = {
  _id: Id;
  buyPrice: Dollars;
  change: Change | null;
  img: string;
  /** Empty for a product that the shop does not know. */
  name: string;
  picture: Picture;
  /** How many can be had, at most as many as were asked for. */
  qtn: number;
  /** How many there are. */
  stock: number;
  total: Dollars;
};

/** Taka per US dollar, in ten-thousandths. */
export type Rate = number;

export type RatingCount = {
  count: number;
  rating: number;
};

/** Why somebody does something to an order. */
export type Reason = {
  note?: string;
};

/** The shop has it. */
export type Received = {
  received: boolean;
};

/** So many units of one of an order's products. */
export type ReturnLine = {
  _id: Id;
  qtn: number;
};

/** What a customer wants to return, and why. */
export type ReturnRequest = {
  /** How many of which products, each named once. Left out or empty: all that can be returned. */
  lines?: ReturnLine[];
  note?: string;
};

/** What has become of a return. */
export type ReturnState = "requested" | "received" | "refused" | "refunded";

/** A review as everybody sees it. */
export type Review = {
  _id: Id;
  /** Plain text. */
  body: string;
  createdAt: Timestamp;
  editedAt: Timestamp | null;
  /** How many found it helpful. */
  helpful: number;
  /** What its writer was called then. */
  name: string;
  /** 1 to 5. */
  rating: number;
  title: string;
};

/** A page of a product's reviews. */
export type ReviewPage = {
  pageNumber: number;
  pages: number;
  reviews: Review[];
  sort: ReviewSort;
  summary: ReviewSummary;
};

/** The order of a product's reviews. */
export type ReviewSort = "newest" | "oldest" | "highest" | "lowest" | "helpful";

/** Who sees a review. */
export type ReviewState = "shown" | "queued" | "refused";

/** What all reviews of a product that are shown come to. */
export type ReviewSummary = {
  count: number;
  /** Their mean, to the hundredth; 0 where there are none. */
  rating: number;
  /** How many gave one star, two, three, four, five. */
  stars: number[];
};

/** What was searched for, and what there is of it. */
export type SearchProps = Listing & {
  category: Id | null;
  /** The query as the shop would spell it, where it found something only so. */
  corrected: string | null;
  /** Whether nothing has all of the words, so that these have some of them. */
  fewerWords: boolean;
  /** Something else to look at, where nothing was found. */
  popular: ProductCard[];
  q: string;
};

export type Section = {
  html: string;
  /** Its address within the page. */
  id: string;
  title: string;
};

/** What stands above the parts of the home page. */
export type Sections = {
  categories: Words;
  flash: Words;
  newsletter: Words;
  posts: Words;
  products: Words;
};

/** Who sells. */
export type Seller = {
  address: string;
  email: string;
  name: string;
  phone: string;
};

/** Somebody's wishes, as others see them. */
export type SharedWishlistProps = {
  /** What its owner is called; may be empty. */
  name: string;
  products: ProductCard[];
};

/** What stands around every page. */
export type Shop = {
  address: string;
  categories: Category[];
  currency: Currency;
  /** Whether it is the demo, which shows what a shop of its kind may have one day. */
  demo: boolean;
  email: string;
  /** The footer's pictures. */
  gallery: GalleryPicture[];
  identity: IdentitySettings;
  name: string;
  /** Those that can be chosen first. */
  payments: PaymentMethod[];
  phone: string;
  /** Taka per US dollar, in ten-thousandths. */
  rate: number;
  /** Whether e-mails reach anybody: a mail server is set up, or the demo's mailbox keeps them. */
  sendsEmail: boolean;
  tagline: string;
  terms: Terms;
  year: number;
};

export type Slide = {
  eyebrow: string;
  /** The point of the picture that stays in sight where it is cropped, in percent from the left and from the top. */
  focus: number[] | null;
  link: string;
  linkText: string;
  picture: Picture | null;
  text: string;
  title: string;
};

/** The order of a list. */
export type Sort = "default" | "price-asc" | "price-desc" | "best" | "relevance";

export type SpecifiedItem = {
  _id: Id;
  buyPrice: Dollars;
  img: string[];
  name: string;
  qtn: number;
};

/** An order in the specification's words. */
export type SpecifiedOrder = {
  _id: Id;
  address: string;
  createdAt: Timestamp;
  email: string;
  firstname: string;
  /** One list of items, in a list. */
  getState: SpecifiedItem[][];
  grandPrice: Dollars;
  number: OrderNumber;
  phone: string;
};

/** An order in the specification's words. Other fields are not looked at: the shop sets the prices. */
export type SpecifiedPlacing = {
  address: string;
  /** The caller's own. */
  email: string;
  firstname: string;
  /** Items, or lists of them. */
  getState: (CartLine | CartLine[])[];
  /** What the shopper was shown, in US dollars; another total is a 409. */
  grandPrice: number;
  phone: string;
};

/** A place on the map, in degrees. */
export type Spot = {
  latitude: number;
  longitude: number;
};

/** What a customer has to do with a product's reviews. */
export type Standing = {
  /** Those that they found helpful. */
  helpful: Id[];
  /** Whether they may write: only who has paid for it or received it may. */
  mayWrite: boolean;
  review: OwnReview | null;
  /** What all reviews of the product come to now. */
  summary: ReviewSummary;
};

/** What a customer has, and how it came about. */
export type StoreCredit = {
  balance: Dollars;
  /** The newest first. */
  entries: CreditEntry[];
};

export type SuggestedCategory = {
  _id: Id;
  name: string;
};

export type Suggestion = Price & {
  _id: Id;
  name: string;
  nameParts: Part[];
  picture: Picture;
};

/** What may be meant by what is typed so far. */
export type Suggestions = {
  /** At most 3. */
  categories: SuggestedCategory[];
  /** At most 6. */
  products: Suggestion[];
  /** At most 4, completed. */
  queries: string[];
};

/** What a shopper wants to know before buying, from the shop's settings. */
export type Terms = {
  /** How long a delivery takes: `2–4 days`; null where the shop does not say. */
  delivery: string | null;
  freeDeliveryOver: Dollars | null;
  /** Days after delivery within which something can be returned. */
  returnDays: number;
  shipping: Dollars;
};

/** A text as pages show it, in HTML that can only be read. */
export type Text = {
  /** What stands before the first heading. */
  lead: string;
  sections: Section[];
};

export type Timestamp = string;

/** How an order has gone, without anything of whose it is. */
export type Track = {
  history: TrackedStep[];
  number: OrderNumber;
  status: OrderStatus;
};

export type TrackedStep = {
  at: Timestamp;
  status: OrderStatus;
};

export type Tracking = {
  /** The e-mail address that the order was placed with. */
  email: string;
  number: string;
};

/** How a list is laid out. */
export type View = "grid" | "list";

export type Wished = {
  /** The newest first, at most 100. */
  products: Id[];
};

/** A customer's wishes. What the shop does not sell any more is left out. */
export type Wishlist = {
  /** The newest first, at most 100. */
  products: Id[];
  /** Where others see it; null while nobody may. */
  share: string | null;
};

export type Words = {
  /** What leads on says so. */
  more: string;
  text: string;
  title: string;
};
