// Generated from the Rust structs by `make types`. Do not edit.

export type AboutProps = {
  article: Article;
  questions: Section[];
};

export type AccessToken = {
  /** The Bearer token of all customer calls; expires after 15 minutes. */
  accessToken: string;
};

export type AccountProps = {
  tab: AccountTab;
};

/** The tabs of the account page. */
export type AccountTab = "dashboard" | "orders" | "order" | "credit" | "profile";

export type Address = {
  _id: Id;
  /** As it is written on a parcel. */
  address: string;
  /** The recipient. */
  name: string;
  parts: StoredParts | null;
  phone: string;
  /** Whether it is the default at checkout; each customer has one default. */
  usual: boolean;
};

/** The fields of a country's addresses. */
export type AddressForm = {
  country: string;
  phoneExample?: string | null;
  postcodeExample?: string | null;
  /** The regions to choose from; none where the region is a text. */
  regions: AddressRegion[];
  /** The fields in the order in which they are filled in, in rows. */
  rows: AddressFormField[][];
};

export type AddressFormField = {
  /** `lines`, `city`, `district`, `region` or `postcode`. */
  field: string;
  /** What it is called there: `state`, `division`, `upazila`, `zip` … */
  label: string;
  required: boolean;
};

/** The parts of an address. Which of them there are, and which are required, follows from the country (`GET /countries/{code}`); others are ignored. */
export type AddressParts = {
  city?: string;
  /** Two letters, of a country that the shop delivers to. */
  country?: string;
  district?: string;
  /** Street, house number, building. */
  lines?: string[];
  postcode?: string;
  region?: string;
};

/** A region, its districts, and their cities. */
export type AddressRegion = {
  /** What an address stores. */
  key: string;
  /** In the language of the request. */
  name: string;
  parts?: AddressRegion[];
};

/** A reduction of a line or, without one, of the delivery. */
export type Adjustment = {
  /** Below 0. */
  amount: Money;
  /** Missing where none was needed. */
  code?: string | null;
  kind: AdjustmentKind;
  /** The title of its promotion, or the name of the tax, in the language of the request. */
  label: string;
  line?: Id | null;
  /** Missing where it is the relief of a tax. */
  promotion?: string | null;
};

/** What reduces a line or the delivery. */
export type AdjustmentKind = "percent" | "amount" | "fixed_price" | "buy_get" | "gift" | "free_delivery" | "tax_relief";

/** What can be paid in a currency. */
export type AmountRange = {
  currency: Currency;
  max: Money | null;
  min: Money | null;
};

export type ApiDocsProps = {
  openapi: unknown;
};

/** A static page. */
export type Article = {
  description: string;
  /** The language of its texts, where it is not that of the page. */
  lang?: Language;
  map: Spot | null;
  /** Whether it is the built-in template, which the shopkeeper has not reviewed. */
  template: boolean;
  text: Text;
  title: string;
  /** The date of its last change. */
  updated: string | null;
};

/** A row of the Information tab. */
export type Attribute = {
  name: string;
  value: string;
};

export type BackInStockProps = {
  moment: StockAlertStep;
};

/** An order's amounts in the shop's base currency. Sub total less discount, shipping, payment fee and VAT add up to the total here too. */
export type BaseAmounts = {
  credit: Money;
  /** The base currency. */
  currency: Currency;
  discount: Money;
  /** What was debited from the gift cards, and from the store credit: rounded up. */
  giftCards: Money;
  paymentFee: Money;
  /** When it was placed. */
  rate: ExchangeRate;
  shipping: Money;
  subTotal: Money;
  total: Money;
  vat: Money;
};

export type BilledTo = {
  address: string;
  email: string;
  name: string;
  phone: string;
  /** That of a customer who is exempt from taxes; may be empty. */
  taxNumber: string;
};

export type BlogProps = {
  /** The newest first. */
  posts: PostCard[];
};

/** What a product page says about delivery, returns and taxes. Where there are delivery zones, by the first method in the shop's own country that is no pickup. */
export type BuyingTerms = {
  delivery: DeliveryDays | null;
  freeDeliveryOver: Money | null;
  /** The taxes that the prices include. */
  includedTaxes: string[];
  /** Of how many days before a reduction the price before it is the lowest; 0: it is the list price. */
  lowestPriceDays: number;
  /** Days after delivery within which goods can be returned. */
  returnDays: number;
  shipping: Money | null;
};

export type Cart = {
  /** Codes of promotions, at most 10. */
  codes?: string[];
  /** The id of a delivery method; the first one by default. */
  delivery?: string | null;
  destination?: TypedDestination | null;
  /** At most 100. Repeated variants are added up. */
  lines: CartLine[];
  /** How it is to be paid: cash on delivery may cost a fee. `gift_card` or `store_credit` where these pay everything. */
  payment?: PaymentProvider;
};

export type CartLine = {
  /** A variant's id; a product's id means its default variant. */
  _id: Id;
  /** 1 to 100. */
  qtn: number;
};

export type CartProps = {
  step: CartStep;
};

/** The steps of the cart page. */
export type CartStep = "cart" | "checkout" | "completed";

export type Category = {
  _id: Id;
  img: string;
  name: string;
  picture: Picture;
  /** The number of its products. */
  products: number;
  untranslated?: TextField[];
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
  untranslated?: TextField[];
};

/** The response when the cart has changed. */
export type ChangedCart = {
  /** The code is `stock`, `price`, `gone`, `gift_card`, `credit` or `delivery`. */
  error: ErrorDetail;
  /** The current quote of the cart. */
  quote: Quote;
};

/** The active filters. */
export type Chosen = {
  attributes: NamedValue[];
  brands: string[];
  colours: string[];
  inStock: boolean;
  max: Money | null;
  min: Money | null;
  new: boolean;
  onOffer: boolean;
  /** Of options other than the colour. */
  options: NamedValue[];
  /** The minimum, in stars. */
  rating: number | null;
};

export type Claim = {
  number: string;
  /** The code of a text message to the order's phone number (`POST /orders/phone-code`), where the order has not the account's verified e-mail address. */
  phoneCode?: string | null;
};

/** What became of a code that the shopper typed. */
export type CodeOutcome = {
  applied: boolean;
  code: string;
  reason?: CodeRefusal | null;
};

/** Why a code was not applied. */
export type CodeRefusal = {
  /** Stable: programs may depend on it. */
  code: string;
  /** In English; may change. */
  message: string;
  /** The values in the message. Amounts are plain numbers in the currency of the quote. */
  params?: Record<string, string>;
};

/** Texts of the contact form. */
export type ContactForm = {
  button: string;
  /** Who answers a message, and when; on the page and in the confirmation e-mail. */
  reply: string;
};

export type ContactProps = {
  article: Article;
  form: ContactForm;
  longestMessage: number;
  longestName: number;
  /** Whether a message was just sent, by a browser without JavaScript. */
  sent: boolean;
};

export type Count = {
  count: number;
  /** The translated name of the value; left out where it is shown as it is. */
  name?: string;
  value: string;
};

export type CountryName = {
  /** Two letters: `BD`. */
  code: string;
  name: string;
};

/** A ledger entry; never changes. */
export type CreditEntry = {
  _id: Id;
  /** Negative when spent. */
  amount: Money;
  /** The balance after this entry. */
  balance: Money;
  createdAt: Timestamp;
  kind: CreditKind;
  /** The shop's reason; often empty. */
  note: string;
  /** The number of its order. */
  order: string | null;
};

/** The reason of an entry. */
export type CreditKind = "refund" | "spent" | "returned" | "granted" | "ended";

/** A code of ISO 4217 */
export type Currency = string;

export type Customer = {
  _id: string;
  email: string;
  language: Language | null;
  name: string;
};

/** A range of days, written `3` or `2-4`. */
export type DeliveryDays = {
  least: number;
  most: number;
};

/** A method as a shopper is offered it. */
export type DeliveryOption = {
  /** What cash on delivery costs in addition; 0 where it costs nothing. */
  cashOnDeliveryFee: Money;
  days: DeliveryDays | null;
  earliest: Timestamp | null;
  id: string;
  latest: Timestamp | null;
  name: string;
  pickup?: Pickup | null;
  /** In the currency of the request. */
  price: Money;
};

/** The page that shows all UI components, with some products as examples. */
export type DevUiProps = {
  products: ProductCard[];
};

export type DocumentKind = "invoice" | "credit_note";

/** The JSON body of every error response. */
export type ErrorBody = {
  error: ErrorDetail;
};

export type ErrorDetail = {
  /** Stable: programs may depend on it. */
  code: string;
  fields?: Field[];
  /** In English; may change. */
  message: string;
  /** The values in the message. */
  params?: Record<string, string>;
  requestId?: string | null;
};

export type ErrorProps = {
  /** The error's code and the values in its message. */
  code: string;
  /** In English. */
  message: string;
  params: Record<string, string>;
  requestId: string;
  status: number;
  /** For browsers without JavaScript. */
  title: string;
};

/** Units of the currency for one unit of the base currency */
export type ExchangeRate = number;

/** How many products each filter value would match, with the other filters unchanged. */
export type Facets = {
  /** The same of the attributes that the shop filters by. */
  attributes: ValueCounts[];
  /** By count, highest first; at most 50, including every selected one. */
  brands: Count[];
  categories: CategoryCount[];
  /** The same; at most 30. */
  colours: Count[];
  inStock: number;
  new: number;
  onOffer: number;
  /** Options other than the colour of which the products have several values, by name; at most 8, including every selected one. */
  options: ValueCounts[];
  price: PriceSpan | null;
  /** 4, 3, 2 and 1 stars and up. */
  ratings: RatingCount[];
};

/** A selling point on the home page. */
export type Feature = {
  icon: Icon;
  link: string | null;
  text: string;
  title: string;
};

export type Field = {
  /** Stable: programs may depend on it. */
  code: string;
  /** In English; may change. */
  message: string;
  name: string;
  /** The values in the message. */
  params?: Record<string, string>;
};

/** Proves that a form was open for some seconds. */
export type FormToken = {
  /** Valid from two seconds after now, for twelve hours. */
  pass: string;
};

export type GalleryPicture = {
  /** The language of its texts, where it is not that of the page. */
  lang?: Language;
  link: string;
  picture: Picture | null;
};

/** What a card is worth, as whoever knows its code sees it. */
export type GiftCardBalance = {
  balance: Money;
  /** The shop's base currency, in which gift cards are kept. */
  currency: Currency;
  expiresAt: Timestamp | null;
  /** The end of its code. */
  lastFour: string;
  /** What it pays for in the currency of the request; nothing when it is expired or disabled. */
  spendable: Money;
  state: GiftCardState;
};

/** A gift card that is to pay. */
export type GiftCardPayment = {
  /** What the gift card pays, as the shopper was shown it, in the currency of the order. Where gift cards and store credit are all of the total, nothing else is charged, whatever `payment` says. */
  amount: number;
  /** The code, as it is printed; spaces, hyphens and case do not matter. */
  code: string;
};

/** Where the cards of a line are sent. */
export type GiftCardRecipient = {
  /** The order's own by default. */
  email?: string;
  /** The variant of the line. */
  line: Id;
  sendOn?: string;
};

export type GiftCardState = "active" | "expired" | "disabled";

/** The number of helpful votes. */
export type Helped = {
  helpful: number;
};

/** A part of a product's name. */
export type HighlightSpan = {
  /** Whether it matches the query and is highlighted. */
  hit: boolean;
  text: string;
};

/** A product in a list. */
export type Hit = ProductCard & {
  /** The name in spans, to highlight what matches; empty without query text. */
  nameParts: HighlightSpan[];
  /** The beginning of the description. */
  summary: string;
};

export type HomeProps = {
  features: Feature[];
  flash: ProductCard[];
  flashEnds: Timestamp | null;
  /** The language of slides, features and words, where it is not that of the page. */
  lang?: Language;
  /** The cursor of the next products for `/api/products`. */
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

/** Icons of selling points. */
export type Icon = "delivery" | "return" | "payment" | "support" | "guarantee" | "gift";

export type Id = string;

/** The browser's settings for the identity provider. */
export type IdentitySettings = {
  apiKey: string;
  authDomain: string;
  /** Whether it is an external Google project instead of the shop's own service. */
  hosted: boolean;
  projectId: string;
  /** The configured social sign-in providers. */
  providers: Provider[];
  /** The URL of an external service, if it is not Google's own. */
  serviceUrl: string | null;
};

export type Invoice = {
  billedTo: BilledTo;
  /** The invoice, and a credit note for each refund. */
  documents: InvoiceDocument[];
};

export type InvoiceDocument = {
  /** Why nothing is to be paid; null unless the order is cancelled. */
  cancelled: string | null;
  facts: InvoiceFact[];
  items: InvoiceItem[];
  mushak: MushakForm | null;
  /** Why no tax is charged, and the tax in the base currency. */
  notes: string[];
  /** That of the order until the invoice is issued. */
  number: string;
  seller: Seller;
  sums: InvoiceSum[];
  /** By rate; none in a shop without rates. */
  taxes: InvoiceTax[];
  title: string;
};

export type InvoiceFact = {
  name: string;
  value: string;
};

/** A line; amounts are in the order's currency. */
export type InvoiceItem = {
  amount: string;
  name: string;
  /** The values of the chosen options: `Chalk, M`; empty where there are none. */
  options: string;
  price: string;
  quantity: number;
  sku: string;
  /** The rates of its taxes: `15%`; empty where there are none. */
  taxRate: string;
};

export type InvoiceSum = {
  amount: string;
  name: string;
  /** Whether it is the sum of the amounts above. */
  total: boolean;
};

/** What is charged of a tax at one rate, in the order's currency. */
export type InvoiceTax = {
  /** Both together. */
  gross: string;
  /** The tax and its rate, or why nothing is charged. */
  name: string;
  /** What it is charged on, without the tax. */
  net: string;
  tax: string;
};

/** An invoice or a credit note that is issued. */
export type IssuedDocument = {
  issuedAt: Timestamp;
  kind: DocumentKind;
  /** As it is printed. */
  number: string;
};

export type Language = string;

export type LineChange = "gone" | "less";

/** A variant with what a line of a cart or an order shows. */
export type LineVariant = Price & {
  _id: Id;
  backOrder: Timestamp | null;
  /** Whether it is a gift card; missing where it is not. */
  giftCard?: boolean;
  /** The URL of its picture. */
  img: string[];
  name: string;
  /** The names of the product's options, and their values. */
  options: Record<string, string>;
  pictures: Picture[];
  product: Id;
  /** Units in stock. */
  qtn: number;
  /** The texts that are in the default language, because they are not translated to the requested one. */
  untranslated?: TextField[];
};

/** An order and its status. */
export type ListedOrder = Order & {
  /** Where it can be paid, while it awaits payment. */
  payUrl: string | null;
  paymentStatus: PaymentStatus;
  /** The amount paid so far, including gift cards and store credit, less all refunds. */
  spent: Money;
  status: OrderStatus;
};

/** A page of products with its filters and facets. */
export type Listing = {
  chosen: Chosen;
  facets: Facets | null;
  pageNumber: number;
  pages: number;
  products: Hit[];
  size: number;
  sort: Sort;
  /** All matches; pagination may end before. */
  total: number;
  view: View;
};

/** An amount in the currency of the request or, of an order, in that of the order; with at most the decimals of the currency */
export type Money = number;

export type MushakColumn = {
  name: string;
  /** Whether it has amounts, quantities and rates, or text. */
  numeric: boolean;
};

/** A form with its prescribed texts, in Bangla. */
export type MushakForm = {
  buyer: InvoiceFact[];
  columns: MushakColumn[];
  government: string;
  issue: InvoiceFact[];
  notes: string[];
  /** Its number, such as `মূসক-৬.৩`. */
  number: string;
  rows: string[][];
  /** The rule that prescribes it. */
  rule: string;
  seller: InvoiceFact[];
  signatory: InvoiceFact[];
  title: string;
  /** A cell for each column. */
  totals: string[];
};

/** A value of an option or an attribute, both as in the default language. */
export type NamedValue = {
  name: string;
  value: string;
};

export type NewAddress = {
  address: TypedAddress;
  name: string;
  phone: string;
  /** Makes it the default. The first address always is; a default stays so until another one becomes it. */
  usual?: boolean;
};

export type NewCustomer = {
  /** Must be the ID token's own; optional. */
  email?: string;
  name?: string;
};

/** A message as submitted. */
export type NewMessage = {
  email: string;
  message: string;
  name: string;
  /** The token from `/api/pass`; without a valid one a stricter rate limit applies. */
  pass?: string;
  /** Honeypot: hidden from people, filled in by bots. */
  website?: string;
};

/** An order to place. Unknown fields are refused, so that a misspelt one is not silently ignored. */
export type NewOrder = {
  address: TypedAddress;
  /** Codes of promotions, at most 10. */
  codes?: string[];
  /** What of the total is to be paid with store credit, as the shopper was shown it. Where that is all of it, nothing else is charged, whatever `payment` says. */
  credit?: number;
  currency?: Currency | null;
  /** The id of a delivery method; the first one of the destination by default. */
  delivery?: string | null;
  /** Of an order without an account; an account has its own. */
  email?: string | null;
  /** To whom gift cards in the cart are sent, and when. By default to the order's e-mail address, at once. */
  giftCardRecipients?: GiftCardRecipient[];
  /** The gift cards to spend first, at most 10, and what each pays of the total. */
  giftCards?: GiftCardPayment[];
  /** At most 100. */
  lines: CartLine[];
  name: string;
  /** Cash on delivery by default. Its fee is charged where gift cards and store credit leave something to pay. */
  payment?: PaymentProvider;
  phone: string;
  /** The code of the text message (`POST /orders/phone-code`), where an order without an account needs one. */
  phoneCode?: string | null;
  /** What the shopper was shown, in the currency of the order; another total is a 409. */
  total: number;
};

/** A review as submitted. */
export type NewReview = {
  body: string;
  /** 1 to 5. */
  rating: number;
  title: string;
};

/** A request for an alert as submitted. */
export type NewStockAlert = {
  email: string;
  /** A variant's id; a product's id means its default variant. */
  product: Id;
  /** Honeypot: hidden from people, filled in by bots. */
  website?: string;
};

export type NewSubscriber = {
  email: string;
  /** The token from `/api/pass`; without a valid one a stricter rate limit applies. */
  pass?: string;
  /** Honeypot: hidden from people, filled in by bots. */
  website?: string;
};

export type NewsletterProps = {
  moment: NewsletterStep;
};

/** The steps of subscribing to the newsletter, and of unsubscribing: the last segment of the URL. */
export type NewsletterStep = "form" | "sent" | "confirm" | "confirmed" | "leave" | "left" | "stale";

/** Where a shopper goes on. */
export type NextPage = {
  /** The path of our page on which the order is paid, with its key. */
  payUrl: string;
  /** The provider's page or, where the provider cannot be reached, ours. */
  redirect: string;
};

/** The props of a page without data. */
export type NoProps = Record<string, never>;

/** An order as it was placed; never changes. Amounts are in its currency. */
export type Order = {
  _id: Id;
  /** As it is written on a parcel. */
  address: string;
  /** Reductions of lines and of the delivery. */
  adjustments: Adjustment[];
  /** The same amounts in the shop's base currency, for its books. */
  base: BaseAmounts;
  createdAt: Timestamp;
  /** The part of the total that was paid with store credit; the payment is for the rest. */
  credit: Money;
  /** The currency that the shopper saw and pays. */
  currency: Currency;
  delivery: OrderDelivery | null;
  /** The sum of the adjustments, as a positive amount. */
  discount: Money;
  email: string;
  /** What gift cards paid of the total, in the order in which they were spent. */
  giftCards: OrderGiftCard[];
  language: Language | null;
  lines: OrderLine[];
  name: string;
  number: OrderNumber;
  /** For cash on delivery; 0 where there is none. */
  paymentFee: Money;
  phone: string;
  postalAddress: StoredParts | null;
  /** The delivery before its reduction. */
  shipping: Money;
  /** The lines before reductions. */
  subTotal: Money;
  /** That of a customer who is exempt from taxes. */
  taxNumber?: string;
  /** By tax and rate; none in a shop without rates. */
  taxes: TaxSum[];
  total: Money;
  /** The taxes that are added to the prices or, in a shop without rates, its flat amount. */
  vat: Money;
};

/** How an order is delivered, as it was promised. */
export type OrderDelivery = {
  earliest: Timestamp | null;
  latest: Timestamp | null;
  method: string;
  /** In the language of the order. */
  name: string;
  pickup?: Pickup | null;
  zone: string;
};

/** An entry of an order's history. */
export type OrderEvent = {
  at: Timestamp;
  /** A note by whoever did the step; may be empty. */
  note: string;
  status: OrderStatus;
};

/** What a gift card paid of an order. */
export type OrderGiftCard = {
  amount: Money;
  /** The end of its code. */
  lastFour: string;
};

/** A line with name and price as they were when the order was placed. */
export type OrderLine = {
  /** The variant. */
  _id: Id;
  /** Of one. */
  buyPrice: Money;
  name: string;
  /** The chosen options; none for orders from before there were any. */
  options: Record<string, string>;
  /** URL of the variant's picture. */
  picture: string;
  product: Id;
  qtn: number;
  sku: string;
  total: Money;
};

/** An order with its status, history, payment and returns. */
export type OrderNow = Order & {
  /** Whether the customer can cancel it now. */
  canCancel: boolean;
  /** The oldest first. */
  history: OrderEvent[];
  /** The invoice, once it is issued, and the credit notes. */
  invoices: IssuedDocument[];
  /** Where it can be paid, while it awaits payment. */
  payUrl: string | null;
  /** The latest payment that was not in vain. */
  payment: OrderPayment;
  paymentStatus: PaymentStatus;
  /** The oldest first. */
  payments: OrderPayment[];
  returnUntil: Timestamp | null;
  /** Lines that can be returned now. */
  returnable: ReturnLine[];
  /** The oldest first. */
  returns: OrderReturn[];
  /** The gift cards that it bought, one for each unit; missing where there are none. */
  soldGiftCards?: SoldGiftCard[];
  status: OrderStatus;
};

export type OrderNumber = string;

/** An order's payment, as the customer sees it. */
export type OrderPayment = {
  amount: Money;
  changedAt: Timestamp;
  /** The provider's reason of a failure, such as `card_declined`; empty where there is none. */
  code: string;
  /** Whether the customer has asked the bank for the money back. */
  disputed: boolean;
  provider: PaymentProvider;
  /** The amount refunded so far. */
  refunded: Money;
  state: PaymentState;
};

/** A return of some of an order's lines. Amounts are in the order's currency. */
export type OrderReturn = {
  /** The amount refunded as store credit. */
  credit: Money;
  /** The amount that went back to the order's gift cards. */
  giftCards: Money;
  /** The price paid for its goods. */
  goods: Money;
  lines: ReturnLine[];
  /** The amount refunded through the original payment. */
  paid: Money;
  requestedAt: Timestamp;
  settledAt: Timestamp | null;
  state: ReturnState;
  /** The share of the order's VAT, or the taxes that were added to their prices. */
  vat: Money;
};

export type OrderStatus = "awaiting_payment" | "placed" | "confirmed" | "packed" | "shipped" | "delivered" | "cancelled" | "return_requested" | "returned" | "refunded" | "partly_refunded";

/** A review as its writer and the shop see it. */
export type OwnReview = Review & {
  /** Why the shop refused it; empty otherwise. */
  note: string;
  product: Id;
  state: ReviewState;
};

/** The data of a page. */
export type Page = PageProps & {
  /** The storefront's build id. */
  build: string;
  /** The language of the page. */
  language: Language;
  /** The shop's public origin, for absolute URLs. */
  origin: string;
  shop: Shop;
  /** The page's canonical URL, without the prefix of its language. */
  url: string;
};

/** A page's name and props. The name is that of its file in `web/src/pages`. */
export type PageProps = {
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
  page: "pay";
  props: PaymentView;
} | {
  page: "gift-card";
  props: NoProps;
} | {
  page: "account";
  props: AccountProps;
} | {
  page: "wishlist";
  props: NoProps;
} | {
  page: "shared-wishlist";
  props: SharedWishlistProps;
} | {
  page: "back-in-stock";
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
  page: "auth-action";
  props: NoProps;
} | {
  page: "api-docs";
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
  page: "dev-ui";
  props: DevUiProps;
} | {
  page: "not-found";
  props: NoProps;
} | {
  page: "error";
  props: ErrorProps;
};

/** With what an order is to be paid. */
export type PayRequest = {
  payment: PaymentProvider;
};

/** A way to pay. */
export type PaymentMethod = {
  /** What it takes of the shop's currencies; none where it cannot be chosen. */
  amounts: AmountRange[];
  /** Whether it can be chosen. */
  enabled: boolean;
  provider: PaymentProvider;
  title: string;
};

/** How a shopper pays. */
export type PaymentProvider = "cash_on_delivery" | "card" | "paypal" | "google_pay" | "bkash" | "sslcommerz" | "store_credit" | "gift_card";

/** The state of one payment, which follows from its events. */
export type PaymentState = "pending" | "processing" | "authorised" | "captured" | "partly_refunded" | "refunded" | "voided" | "failed";

/** How far an order is paid: all of its payments together. */
export type PaymentStatus = "unpaid" | "awaiting_payment" | "processing" | "authorised" | "partly_paid" | "paid" | "partly_refunded" | "refunded" | "disputed" | "cancelled";

/** An order to be paid, without personal data: whoever has the link sees it. */
export type PaymentView = {
  canPay: boolean;
  createdAt: Timestamp;
  currency: Currency;
  expiresAt: Timestamp | null;
  /** Whether the order has no account, so that one can claim it. */
  guest: boolean;
  /** Of the link. */
  key: string;
  /** With what it can be paid. */
  methods: PaymentMethod[];
  number: OrderNumber;
  payment: OrderPayment | null;
  paymentStatus: PaymentStatus;
  /** The provider's page of the open payment. */
  redirect: string | null;
  /** Whether the shopper comes from the provider's page. */
  returned: boolean;
  status: OrderStatus;
  toPay: Money;
  total: Money;
};

export type PhoneCodeRequest = {
  /** The country of the order's address; the shop's own by default. */
  country?: string;
  /** To claim an order, its number: then the code is sent as `phone` is read in that order's country. */
  number?: string;
  phone: string;
};

export type Photo = {
  /** The absolute URL of the photo. */
  photoURL: string;
};

export type Pickup = {
  address: string;
  hours?: string;
};

/** A picture with what pages need to display it. */
export type Picture = {
  /** The alternative text; empty where there is none. */
  alt: string;
  /** The dominant colour: `#c8b4a0`. */
  colour: string | null;
  height: number | null;
  /** The colour of the pictured product; null for the first colour. */
  inColour: string | null;
  /** A tiny version to be displayed blurred until the picture is loaded, as a `data:` URL. */
  placeholder: string | null;
  /** Its URL. One that starts with `/media/` exists in other sizes: its last part may be any of the widths 160, 320, 480, 640, 800, 1200, 1600 with `.avif`, `.webp` or `.jpg`. A larger width than the picture's own is answered in its own. */
  src: string;
  /** In pixels, like the height; null for pictures that the shop does not store. */
  width: number | null;
};

/** An order that is placed, or waits for its payment. */
export type PlacedOrder = Order & {
  next: NextPage | null;
};

/** A policy page. Its text is its path, without the slash. */
export type Policy = "privacy" | "terms" | "refund" | "return";

export type PolicyProps = {
  article: Article;
  policy: Policy;
};

/** The fields of a post that lists show. */
export type PostCard = {
  /** Alternative text of the picture. */
  alt: string;
  author: string;
  /** A date such as 2026-11-08. */
  date: string;
  /** The language of its texts, where it is not that of the page. */
  lang?: Language;
  /** Reading time. */
  minutes: number;
  picture: Picture | null;
  slug: string;
  summary: string;
  tags: string[];
  title: string;
};

export type PostLink = {
  /** The language of the title, where it is not that of the page. */
  lang?: Language;
  slug: string;
  title: string;
};

export type PostProps = {
  next: PostLink | null;
  now: Timestamp;
  post: PostCard;
  previous: PostLink | null;
  /** The products that it links to. */
  products: ProductCard[];
  text: Text;
};

/** List price, offer price and the period of the offer, in the currency of the request. */
export type Price = {
  /** The price that is charged now. */
  buyPrice: Money;
  /** The price during the offer; equal to the list price when there is no offer. */
  offerPrice: Money;
  /** The list price; with `lowest_price_days`, during a reduction, the lowest price before it or, where that is not higher, the price that is charged. */
  realPrice: Money;
  saleEnd: Timestamp | null;
  saleStart: Timestamp | null;
};

export type PriceSpan = {
  highest: Money;
  lowest: Money;
};

export type Product = Price & VariantTotals & {
  _id: Id;
  attributes: Attribute[];
  brand: string;
  category: Id;
  createdAt: Timestamp;
  fullDescription: string;
  /** Whether its variants are values of gift cards; missing where they are not. */
  giftCard?: boolean;
  /** URLs of its pictures, the main one first. */
  img: string[];
  name: string;
  /** What it can be chosen by, such as its colour; none where there is one variant. */
  options: ProductOption[];
  /** The same pictures with their size, placeholder and alternative text. */
  pictures: Picture[];
  productType: string;
  /** The mean of its reviews, 1 to 5; 0 when it has none. */
  rating: number;
  /** The number of visible reviews. */
  reviews: number;
  /** That of the default variant. */
  sku: string;
  /** `active`, or `archived` when it is not sold any more. */
  status: ProductStatus;
  tags: string[];
  /** The class of goods for taxes; empty for the standard one. */
  taxClass?: string;
  unitsSold: number;
  /** The texts that are in the default language, because they are not translated to the requested one. */
  untranslated?: TextField[];
};

/** The fields of a product that lists show. */
export type ProductCard = Price & VariantTotals & {
  _id: Id;
  brand: string;
  /** At most two; the second is shown on hover. */
  img: string[];
  name: string;
  /** The same pictures. Only the first has a placeholder, because the second is loaded on hover. */
  pictures: Picture[];
  rating: number;
  /** The texts that are in the default language, because they are not translated to the requested one. */
  untranslated?: TextField[];
};

/** An option of a product, such as its colour, with the values to choose from. */
export type ProductOption = {
  name: string;
  /** The values in the default language, as URLs have them; missing where they are the same. */
  originals?: string[];
  /** Its name in URLs: `colour`. Not stored. */
  param: string;
  /** CSS colours of the values; missing where there are none. */
  swatches?: (string | null)[];
  values: string[];
};

export type ProductProps = {
  allVariants: boolean;
  category: Category;
  /** The value of each option, as it is shown. */
  choice: string[];
  now: Timestamp;
  product: Product;
  related: ProductCard[];
  reviews: ReviewPage;
  terms: BuyingTerms;
  variant: Variant | null;
  /** Its variants or, of more than 100, those that differ from the choice in at most one option. */
  variants: Variant[];
};

export type ProductStatus = "draft" | "active" | "archived";

/** A product with what is sold of it. */
export type ProductWithVariants = Product & {
  /** The first 100. */
  variants: Variant[];
  /** The `cursor` of the next variants for `/api/products/{id}/variants`; null when these are all. */
  variantsNext: string | null;
};

export type Profile = {
  displayName: string;
  language?: Language | null;
};

/** A provider that the storefront has a button for. */
export type Provider = "google.com" | "facebook.com";

export type Quantities = {
  /** At most 100. */
  lines: VariantQuantity[];
};

export type Quote = {
  /** Reductions of lines and of the delivery. */
  adjustments: Adjustment[];
  /** Sub total, shipping and payment fee, less the discount, as the cart shows it. */
  cartTotal: Money;
  changesAt: Timestamp | null;
  /** What became of the codes of the request. */
  codes: CodeOutcome[];
  /** Of all amounts. */
  currency: Currency;
  /** The methods of delivery to the destination; none without delivery zones, or where nothing is delivered. */
  deliveries: DeliveryOption[];
  /** The one that is charged: the wanted one if it takes the goods, or else the first; null where there is none. */
  delivery: string | null;
  /** Whether delivery or taxes depend on the destination. */
  dependsOnDestination: boolean;
  /** The sum of the adjustments, as a positive amount. */
  discount: Money;
  lines: QuotedLine[];
  /** The time of this quote. */
  now: Timestamp;
  /** For cash on delivery by the charged method; 0 where there is none, or where nothing is left to pay in cash. */
  paymentFee: Money;
  /** The delivery before its reduction. */
  shipping: Money;
  /** The lines before reductions. */
  subTotal: Money;
  /** By tax and rate; none in a shop without rates. */
  taxes: TaxSum[];
  /** The cart's total and VAT: what an order is charged. */
  total: Money;
  /** The total where gift cards and store credit pay it: without the fee and its tax. */
  totalWithoutFee: Money;
  /** Whether these goods are not delivered to the destination: then no order can be placed. */
  undeliverable: boolean;
  /** Charged at checkout: the taxes that the prices do not include or, in a shop without rates, its setting. */
  vat: Money;
};

/** A line of the cart with its current price and stock. */
export type QuotedLine = {
  /** The variant. */
  _id: Id;
  backOrder: Timestamp | null;
  buyPrice: Money;
  change: LineChange | null;
  /** Whether it is a gift card; missing where it is not. */
  giftCard?: boolean;
  img: string;
  /** Empty for an unknown variant. */
  name: string;
  options: Record<string, string>;
  picture: Picture;
  product: Id;
  /** The available quantity, at most the requested one. */
  qtn: number;
  /** Units that can be ordered. */
  stock: number;
  total: Money;
  /** The texts that are in the default language, because they are not translated to the requested one. */
  untranslated?: TextField[];
};

export type RatingCount = {
  count: number;
  rating: number;
};

/** Why an order is cancelled. */
export type Reason = {
  note?: string;
};

export type Received = {
  received: boolean;
};

/** A quantity of one of an order's lines. */
export type ReturnLine = {
  _id: Id;
  qtn: number;
};

/** What a customer wants to return, and why. */
export type ReturnRequest = {
  /** Quantities by line, each line once. When empty, everything returnable. */
  lines?: ReturnLine[];
  note?: string;
};

export type ReturnState = "requested" | "received" | "refused" | "refunded";

/** A review as everybody sees it. */
export type Review = {
  _id: Id;
  /** Plain text. */
  body: string;
  createdAt: Timestamp;
  editedAt: Timestamp | null;
  /** The number of helpful votes. */
  helpful: number;
  /** The language of the page on which it was written. */
  language: Language;
  /** The writer's name when it was written; empty for a customer without one. */
  name: string;
  /** The options of what the writer bought; none where they are not known. */
  options: Record<string, string>;
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

/** Sort order of a product's reviews. */
export type ReviewSort = "newest" | "oldest" | "highest" | "lowest" | "helpful";

/** Who can see a review. */
export type ReviewState = "shown" | "queued" | "refused";

/** Rating and star counts of a product's visible reviews. */
export type ReviewSummary = {
  count: number;
  /** The mean, rounded to two decimals; 0 without reviews. */
  rating: number;
  /** The number of reviews with 1, 2, 3, 4 and 5 stars. */
  stars: number[];
};

/** A customer's cart, the oldest line first, without what is not sold any more. */
export type SavedCart = {
  /** Of the prices. */
  currency: Currency;
  lines: SavedCartLine[];
};

export type SavedCartLine = {
  /** The variant. */
  _id: Id;
  /** The current price. */
  buyPrice: Money;
  img: string[];
  name: string;
  options: Record<string, string>;
  product: Id;
  qtn: number;
  /** The texts that are in the default language, because they are not translated to the requested one. */
  untranslated?: TextField[];
};

/** A search query and its results. */
export type SearchProps = Listing & {
  category: Id | null;
  /** The query with its spelling corrected, where only that has results. */
  corrected: string | null;
  /** Whether no product matches all words, so that the results match only some of them. */
  fewerWords: boolean;
  /** Popular products, where nothing was found. */
  popular: ProductCard[];
  q: string;
};

export type Section = {
  html: string;
  /** Its fragment id in the page. */
  id: string;
  /** The language of its texts, where it is not that of the page. */
  lang?: Language;
  title: string;
};

/** Headings of the home page's sections. */
export type Sections = {
  categories: Words;
  flash: Words;
  newsletter: Words;
  posts: Words;
  products: Words;
};

/** The shop: of an issued document as of its issue. */
export type Seller = {
  address: string;
  email: string;
  name: string;
  phone: string;
  /** May be empty. */
  taxNumber: string;
};

/** A shared wishlist, as others see it. */
export type SharedWishlistProps = {
  /** The owner's name; may be empty. */
  name: string;
  products: VariantCard[];
};

/** Shop data that every page has. */
export type Shop = {
  address: string;
  categories: Category[];
  /** Those that the shop delivers to, its own first; none where an address is a text. */
  countries: CountryName[];
  /** Those that the shop offers, the base currency first. */
  currencies: Currency[];
  /** Of all amounts of the page, except those of orders. */
  currency: Currency;
  /** Whether it is the demo shop, which also shows planned features. */
  demo: boolean;
  email: string;
  /** The footer's pictures. */
  gallery: GalleryPicture[];
  /** Whether customers can order without an account. */
  guestCheckout: boolean;
  identity: IdentitySettings;
  /** The shop's languages, the default one first. */
  languages: Language[];
  name: string;
  /** Available payment methods first. */
  payments: PaymentMethod[];
  phone: string;
  /** Whether e-mails are sent: there is a mail server, or the demo's mailbox. */
  sendsEmail: boolean;
  /** Whether text messages are sent: there is a gateway, or the demo's mailbox. */
  sendsSms: boolean;
  tagline: string;
  year: number;
};

export type Slide = {
  eyebrow: string;
  /** The focal point when the picture is cropped, in percent from the left and from the top. */
  focus: number[] | null;
  link: string;
  linkText: string;
  picture: Picture | null;
  text: string;
  title: string;
};

/** A gift card that an order bought, as its buyer sees it. */
export type SoldGiftCard = {
  /** The end of its code; empty until it is sent. */
  lastFour: string;
  /** The variant of its line. */
  line: Id;
  /** Whom it is sent to, as `m•••@haat.example`; empty once that is erased. */
  recipient: string;
  sendAt: Timestamp;
  sentAt: Timestamp | null;
  state: SoldGiftCardState;
};

/** What became of a gift card that an order bought. */
export type SoldGiftCardState = "unpaid" | "scheduled" | "sent" | "voided";

/** Sort order of a product list. */
export type Sort = "default" | "price-asc" | "price-desc" | "best" | "relevance";

export type SpecifiedItem = {
  _id: Id;
  buyPrice: Money;
  img: string[];
  name: string;
  options: Record<string, string>;
  product: Id;
  qtn: number;
};

/** An order in the format of the specification. */
export type SpecifiedOrder = {
  _id: Id;
  address: string;
  createdAt: Timestamp;
  email: string;
  firstname: string;
  /** A list that contains one list of items. */
  getState: SpecifiedItem[][];
  grandPrice: Money;
  number: OrderNumber;
  phone: string;
};

/** An order in the format of the specification. Other fields are ignored: the shop computes the prices. */
export type SpecifiedOrderRequest = {
  address: string;
  /** The caller's own address. */
  email: string;
  firstname: string;
  /** Items, or lists of them. */
  getState: (CartLine | CartLine[])[];
  /** What the shopper was shown, in the currency of the order; another total is a 409. */
  grandPrice: number;
  phone: string;
};

/** A position in degrees. */
export type Spot = {
  latitude: number;
  longitude: number;
};

/** The caller's own review, rights and votes for a product. */
export type Standing = {
  /** Reviews that the caller voted for. */
  helpful: Id[];
  /** Only customers who paid for the product or received it may write. */
  mayWrite: boolean;
  review: OwnReview | null;
  /** The summary of all visible reviews. */
  summary: ReviewSummary;
};

/** The steps of a back-in-stock alert, and of cancelling it: the last segment of the URL. */
export type StockAlertStep = "asked" | "leave" | "left" | "stale";

/** A customer's balance and its history. */
export type StoreCredit = {
  balance: Money;
  /** The shop's base currency, in which store credit is kept. */
  currency: Currency;
  /** The newest first. */
  entries: CreditEntry[];
  /** What the balance pays for in the currency of the request. */
  spendable: Money;
};

/** The parts of an address, as stored and as answers have them. */
export type StoredParts = {
  city?: string;
  country: string;
  district?: string;
  lines: string[];
  postcode?: string;
  region?: string;
};

export type SuggestedCategory = {
  _id: Id;
  name: string;
};

export type Suggestion = Price & {
  _id: Id;
  name: string;
  nameParts: HighlightSpan[];
  picture: Picture;
  /** The texts that are in the default language, because they are not translated to the requested one. */
  untranslated?: TextField[];
};

/** Suggestions for a query that is being typed. */
export type Suggestions = {
  /** At most 3. */
  categories: SuggestedCategory[];
  /** At most 6. */
  products: Suggestion[];
  /** Completed queries, at most 4. */
  queries: string[];
};

export type TaxRelief = "export" | "exempt";

/** What is charged of a tax at one rate. */
export type TaxSum = {
  amount: Money;
  /** Whether the amount is part of the prices, or added to them. */
  included: boolean;
  /** The tax, in the language of the request. */
  label: string;
  /** What it is charged on, without the tax. */
  net: Money;
  /** A percentage. */
  rate: number;
  relief?: TaxRelief | null;
};

/** Rendered text, in safe HTML. */
export type Text = {
  /** The text before the first heading. */
  lead: string;
  sections: Section[];
};

/** A text that is shown in the default language, because it is not translated. */
export type TextField = "name" | "fullDescription" | "options" | "tags" | "attributes" | "alt";

export type Timestamp = string;

/** An order's history without personal data. */
export type Track = {
  /** Whether it has no account, so that one can claim it. */
  guest: boolean;
  history: TrackedStep[];
  number: OrderNumber;
  /** Where it can be paid, while it awaits payment. */
  payUrl: string | null;
  paymentStatus: PaymentStatus;
  status: OrderStatus;
};

export type TrackedStep = {
  at: Timestamp;
  status: OrderStatus;
};

export type Tracking = {
  /** The e-mail address that the order was placed with. */
  email?: string;
  number: string;
  /** Instead of the e-mail address, the phone number that the order was placed with. */
  phone?: string;
};

export type TypedAddress = string | AddressParts;

/** As much of an address as is known. Parts that are not valid, or not yet, are ignored. */
export type TypedDestination = {
  /** Two letters, of a country that the shop delivers to. */
  country: string;
  district?: string;
  postcode?: string;
  region?: string;
};

export type TypedGiftCard = {
  /** As it is printed; spaces, hyphens and case do not matter. */
  code: string;
};

/** The values of an option or an attribute. */
export type ValueCounts = {
  /** The translated name; left out where it is shown as it is. */
  label?: string;
  name: string;
  /** At most 30. Sizes and quantities by size, others by count. */
  values: Count[];
};

/** A variant of a product: what is sold. */
export type Variant = Price & {
  _id: Id;
  backOrder: Timestamp | null;
  barcode?: string;
  /** The URL of its picture, one of the product's. */
  img: string;
  /** False for vouchers, downloads and services; missing where it is delivered. */
  needsDelivery?: boolean;
  /** The names of the product's options, and their values. */
  options: Record<string, string>;
  /** Units in stock. */
  qtn: number;
  sku: string;
  /** In grams. */
  weight?: number | null;
};

/** A variant as a list shows it, with the fields of a product's card. */
export type VariantCard = LineVariant & {
  brand: string;
  priceFrom: Money | null;
  rating: number;
  /** Always 1: there is nothing to choose. */
  variantCount: number;
};

export type VariantQuantity = {
  /** A variant's id; a product's id means its default variant. */
  _id: Id;
  /** 0 to 100; 0 removes it. */
  qtn: number;
};

/** What the variants of a product amount to. */
export type VariantTotals = {
  backOrder: Timestamp | null;
  priceFrom: Money | null;
  /** Units in stock, of all variants. */
  qtn: number;
  /** How many variants there are to choose from. */
  variantCount: number;
};

/** The layout of a product list. */
export type View = "grid" | "list";

/** A customer's wishlist, without products that no longer exist. */
export type Wishlist = {
  /** Ids of variants, the newest first, at most 100. */
  products: Id[];
  /** Path of the shared list; null when it is not shared. */
  share: string | null;
};

export type WishlistProducts = {
  /** Ids of variants, the newest first, at most 100. A product's id means its default variant. */
  products: Id[];
};

export type Words = {
  /** The text of the "more" link. */
  more: string;
  text: string;
  title: string;
};

/** Currencies that have not two decimals, or are not written with their code. */
export const CURRENCY_FORMATS: Record<
  string,
  { decimals?: number; symbol?: string; leavesOutZeroDecimals?: boolean }
> = {
  BDT: { symbol: "৳", leavesOutZeroDecimals: true },
  BHD: { decimals: 3 },
  BIF: { decimals: 0 },
  CLP: { decimals: 0 },
  DJF: { decimals: 0 },
  EUR: { symbol: "€" },
  GBP: { symbol: "£" },
  GNF: { decimals: 0 },
  IQD: { decimals: 3 },
  ISK: { decimals: 0 },
  JOD: { decimals: 3 },
  JPY: { decimals: 0, symbol: "¥" },
  KMF: { decimals: 0 },
  KRW: { decimals: 0 },
  KWD: { decimals: 3 },
  LYD: { decimals: 3 },
  OMR: { decimals: 3 },
  PYG: { decimals: 0 },
  RWF: { decimals: 0 },
  TND: { decimals: 3 },
  UGX: { decimals: 0 },
  USD: { symbol: "$" },
  VND: { decimals: 0 },
  VUV: { decimals: 0 },
  XAF: { decimals: 0 },
  XOF: { decimals: 0 },
  XPF: { decimals: 0 },
};

/** Path patterns and their pages. */
export const ROUTES: [pattern: string, page: Page["page"]][] = [
  ["/", "home"],
  ["/category/{id}", "category"],
  ["/search", "search"],
  ["/product/{id}", "product"],
  ["/cart", "cart"],
  ["/checkout", "checkout"],
  ["/track", "track"],
  ["/pay/{number}", "pay"],
  ["/gift-card", "gift-card"],
  ["/account", "account"],
  ["/account/orders", "account"],
  ["/account/orders/{number}", "account"],
  ["/account/credit", "account"],
  ["/account/profile", "account"],
  ["/wishlist", "wishlist"],
  ["/wishlist/{token}", "shared-wishlist"],
  ["/back-in-stock/{step}", "back-in-stock"],
  ["/login", "login"],
  ["/register", "register"],
  ["/signup", "signup"],
  ["/auth/action", "auth-action"],
  ["/api/docs", "api-docs"],
  ["/blog", "blog"],
  ["/blog/{slug}", "post"],
  ["/about", "about"],
  ["/contact", "contact"],
  ["/contact/sent", "contact"],
  ["/privacy", "policy"],
  ["/terms_condition", "policy"],
  ["/refund", "policy"],
  ["/return", "policy"],
  ["/newsletter", "newsletter"],
  ["/newsletter/{step}", "newsletter"],
  ["/offline", "offline"],
  ["/dev/ui", "dev-ui"],
];
