// Generated from messages/en by `npm run messages`. Do not edit.

declare module "messages/account" {
  /** Dashboard */
  export function dashboard(): string;
  /** Purchase History */
  export function purchaseHistory(): string;
  /** Store Credit */
  export function storeCredit(): string;
  /** Manage Profile */
  export function manageProfile(): string;
  /** Order */
  export function order(): string;
  /** Order {number} */
  export function orderNumber(of: { number: string }): string;
  /** Your orders and your account at {shop}. */
  export function description(of: { shop: string }): string;
  /** Your account */
  export function yourAccount(): string;
  /** Your account needs JavaScript. Please switch it on. */
  export function needsJavaScript(): string;
  /** Log out */
  export function logOut(): string;
  /** About you */
  export function aboutYou(): string;
  /** Your name stands at the top of the page and under the reviews that you write. */
  export function aboutYouText(): string;
  /** Photo */
  export function photo(): string;
  /** Upload<hidden> a photo</hidden> */
  export function uploadPhoto(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Remove<hidden> the photo</hidden> */
  export function removePhoto(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Your photo is saved. */
  export function photoSaved(): string;
  /** Your photo is gone. */
  export function photoRemoved(): string;
  /** JPEG, PNG, WebP or AVIF, at most 20 MB. Its middle is kept, and nothing of what the camera noted. */
  export function photoRules(): string;
  /** A photo may have at most 20 MB. Please choose a smaller one. */
  export function photoTooLarge(): string;
  /** Display name */
  export function displayName(): string;
  /** Save Change */
  export function saveName(): string;
  /** Your name is changed. */
  export function nameChanged(): string;
  /** E-mail address */
  export function emailAddress(): string;
  /** You sign in with it, and our e-mails go there. A new one counts once you have followed the link in the e-mail that we send to it. */
  export function emailAddressText(): string;
  /** This shop cannot send e-mail yet. So the address cannot be changed. */
  export function noEmailChange(): string;
  /** An e-mail is on its way to <b>{email}</b>. Follow its link, and then sign in with the new address. Until then nothing changes. */
  export function emailSentTo(of: { b: (text: import("react").ReactNode) => import("react").ReactNode; email: string }): import("react").ReactNode;
  /** New e-mail address */
  export function newEmailAddress(): string;
  /** That is your address already. */
  export function sameEmail(): string;
  /** Send the e-mail */
  export function sendEmail(): string;
  /** Send the e-mail again */
  export function sendEmailAgain(): string;
  /** An e-mail is on its way. */
  export function emailSent(): string;
  /** Confirmed */
  export function confirmed(): string;
  /** Not confirmed */
  export function notConfirmed(): string;
  /** Password */
  export function password(): string;
  /** A new one ends your sign-in on every other device. */
  export function changePasswordText(): string;
  /** You have none yet. With one you can sign in without Google or Facebook. */
  export function setPasswordText(): string;
  /** Change the password */
  export function changePassword(): string;
  /** Set the password */
  export function setPassword(): string;
  /** Your password is changed. */
  export function passwordChanged(): string;
  /** Your password is set. */
  export function passwordSet(): string;
  /** Current password */
  export function currentPassword(): string;
  /** New password */
  export function newPassword(): string;
  /** Confirm the new password */
  export function confirmPassword(): string;
  /** The two passwords differ. */
  export function passwordsDiffer(): string;
  /** Linked accounts */
  export function linkedAccounts(): string;
  /** Further ways into this account, beside your password. */
  export function linkedAccountsText(): string;
  /** Linked */
  export function linked(): string;
  /** Not linked */
  export function notLinked(): string;
  /** Linked. It is your only way in: set a password before you take it away. */
  export function linkedOnly(): string;
  /** Link<hidden> {provider}</hidden> */
  export function link(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; provider: string }): import("react").ReactNode;
  /** Unlink<hidden> {provider}</hidden> */
  export function unlink(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; provider: string }): import("react").ReactNode;
  /** {provider} is linked. */
  export function linkedDone(of: { provider: string }): string;
  /** {provider} is not linked any more. */
  export function unlinkedDone(of: { provider: string }): string;
  /** Second step */
  export function secondStep(): string;
  /** With it, signing in asks for a code of an app on your phone too. Whoever learns your password does not get in. */
  export function secondStepText(): string;
  /** Please confirm your e-mail address first: the link is in our e-mail. */
  export function confirmEmailFirst(): string;
  /** This shop cannot send e-mail yet. So your address cannot be confirmed, which a second step needs. */
  export function noConfirmation(): string;
  /** Set up an authenticator app */
  export function setUpApp(): string;
  /** Asked for at every sign-in */
  export function askedAtSignIn(): string;
  /** The second step is gone. */
  export function secondStepRemoved(): string;
  /** From now on signing in asks for a code. */
  export function secondStepAdded(): string;
  /** Remove<hidden> {name}</hidden> */
  export function removeNamed(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string }): import("react").ReactNode;
  /** Scan this with the app, or type the key into it. Then type the code that it shows. */
  export function scanCode(): string;
  /** Key */
  export function key(): string;
  /** QR code of the key */
  export function keyQrCode(): string;
  /** Turn it on */
  export function turnOn(): string;
  /** Signed-in devices */
  export function devices(): string;
  /** Who you are is kept by another service here, which does not list your devices. A new password ends your sign-in on all of them. */
  export function devicesElsewhere(): string;
  /** Is there one that you do not know? Sign out everywhere, and change your password. */
  export function devicesText(): string;
  /** Your devices could not be loaded */
  export function devicesNotLoaded(): string;
  /** Sign out everywhere */
  export function signOutEverywhere(): string;
  /** You are signed out everywhere. */
  export function signedOutEverywhere(): string;
  /** This device */
  export function thisDevice(): string;
  /** Signed in {signedIn}, last used {used} */
  export function deviceDates(of: { signedIn: string; used: string }): string;
  /** {browser} on {system} */
  export function browserOnSystem(of: { browser: string; system: string }): string;
  /** Another program */
  export function otherProgram(): string;
  /** Addresses */
  export function addresses(): string;
  /** The usual one is filled in when you order. */
  export function addressesText(): string;
  /** Your addresses could not be loaded */
  export function addressesNotLoaded(): string;
  /** There is none yet. */
  export function noAddresses(): string;
  /** Add an address */
  export function addAddress(): string;
  /** Change the address */
  export function changeAddress(): string;
  /** The address is saved. */
  export function addressSaved(): string;
  /** Usual */
  export function usual(): string;
  /** Edit<hidden> {name}, {address}</hidden> */
  export function editAddress(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string; address: string }): import("react").ReactNode;
  /** Make it the usual one<hidden> {name}, {address}</hidden> */
  export function makeUsual(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string; address: string }): import("react").ReactNode;
  /** Remove<hidden> {name}, {address}</hidden> */
  export function removeAddress(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string; address: string }): import("react").ReactNode;
  /** It is the usual one now. */
  export function madeUsual(): string;
  /** The address is removed. */
  export function addressRemoved(): string;
  /** Save the address */
  export function saveAddress(): string;
  /** Phone */
  export function phone(): string;
  /** Address */
  export function address(): string;
  /** This is where I usually have things sent */
  export function sendHere(): string;
  /** Download my data */
  export function downloadData(): string;
  /** One file with all that we hold about your account, in a form that other programs can read. */
  export function downloadDataText(): string;
  /** Delete my account */
  export function deleteAccount(): string;
  /** At once and for good. What was sold stays in our books, without your name. */
  export function deleteAccountText(): string;
  /** Delete my account? */
  export function deleteAccountQuestion(): string;
  /** Delete it for good */
  export function deleteForGood(): string;
  /** Your account is deleted. */
  export function accountDeleted(): string;
  /** This cannot be taken back. */
  export function cannotBeUndone(): string;
  /** Your profile, photo, addresses, cart, wishlist and reviews are deleted, and our e-mails end. */
  export function deletedParts(): string;
  /** Store credit ends with the account. */
  export function creditEnds(): string;
  /** Orders stay in our books without your name, e-mail address, phone number and address. One that is still on its way keeps them until it has arrived. */
  export function ordersStay(): string;
  /** The service that you sign in with is asked to delete its account too. */
  export function serviceDeletes(): string;
  /** Is it you? */
  export function isItYou(): string;
  /** For this, please show once more that it is you. */
  export function isItYouText(): string;
  /** Nothing was changed. */
  export function nothingChanged(): string;
  /** Please log out, sign in again, and come back here within five minutes. */
  export function signInAgain(): string;
  /** Your password */
  export function yourPassword(): string;
  /** That is not your password. */
  export function wrongPassword(): string;
  /** Continue with {provider} */
  export function continueWith(of: { provider: string }): string;
  /** Sent. */
  export function codeSent(): string;
  /** Code of your authenticator app */
  export function appCode(): string;
  /** Code of the message */
  export function messageCode(): string;
}

declare module "messages/addresses" {
  /** Phone is required */
  export function phoneRequired(): string;
  /** Please write a number that we can call, like +880 1700 000 000 */
  export function phoneInvalid(): string;
  /** Address is required */
  export function addressRequired(): string;
  /** Country */
  export function country(): string;
  /** Street address */
  export function lines(): string;
  /** Area */
  export function area(): string;
  /** County */
  export function county(): string;
  /** Department */
  export function department(): string;
  /** District */
  export function district(): string;
  /** Division */
  export function division(): string;
  /** Province or city */
  export function doSi(): string;
  /** Emirate */
  export function emirate(): string;
  /** Island */
  export function island(): string;
  /** Oblast */
  export function oblast(): string;
  /** Parish */
  export function parish(): string;
  /** Prefecture */
  export function prefecture(): string;
  /** Province */
  export function province(): string;
  /** State */
  export function state(): string;
  /** City */
  export function city(): string;
  /** Town or city */
  export function postTown(): string;
  /** Suburb */
  export function suburb(): string;
  /** Upazila or thana */
  export function upazila(): string;
  /** Neighbourhood */
  export function neighborhood(): string;
  /** Townland */
  export function townland(): string;
  /** Village or township */
  export function villageTownship(): string;
  /** Eircode */
  export function eircode(): string;
  /** PIN code */
  export function pin(): string;
  /** Postcode */
  export function postal(): string;
  /** ZIP code */
  export function zip(): string;
  /** {label} (optional) */
  export function optional(of: { label: string }): string;
  /** Please choose */
  export function choose(): string;
  /** Choose or type */
  export function chooseOrType(): string;
  /** {label} is required */
  export function required(of: { label: string }): string;
  /** At most {most, number} lines */
  export function tooManyLines(of: { most: number }): string;
  /** The fields of the address could not be loaded. */
  export function notLoaded(): string;
}

declare module "messages/auth" {
  /** Signing in needs JavaScript. Please switch it on. */
  export function needsJavaScript(): string;
  /** Email */
  export function email(): string;
  /** Name */
  export function name(): string;
  /** Password */
  export function password(): string;
  /** Show password */
  export function showPassword(): string;
  /** Hide password */
  export function hidePassword(): string;
  /** {length, number} characters */
  export function requiredLength(of: { length: number }): string;
  /** An uppercase letter */
  export function requiredUppercase(): string;
  /** A number */
  export function requiredNumber(): string;
  /** One of ! @ # $ & * */
  export function requiredSymbol(): string;
  /** {requirement}<hidden>: met</hidden> */
  export function requirementMet(of: { requirement: string; hidden: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Name is Required */
  export function nameRequired(): string;
  /** Email is required */
  export function emailRequired(): string;
  /** Please write the whole address, like name@example.com */
  export function emailInvalid(): string;
  /** Please type the six digits. */
  export function codeInvalid(): string;
  /** Password is required */
  export function passwordRequired(): string;
  /** Password must be {length, number} characters long */
  export function passwordTooShort(of: { length: number }): string;
  /** Password must have uppercase, number and special characters */
  export function passwordTooSimple(): string;
  /** Continue */
  function continue_(): string;
  export { continue_ as continue };
  /** Sign in */
  export function signIn(): string;
  /** Register */
  export function register(): string;
  /** Sign up */
  export function signUp(): string;
  /** User Created Successfully. */
  export function userCreated(): string;
  /** Forgot your password? */
  export function forgotPassword(): string;
  /** Email for the link */
  export function emailForLink(): string;
  /** Send me a link */
  export function sendLink(): string;
  /** If there is an account for that address, an e-mail is on its way. */
  export function resetSent(): string;
  /** This shop cannot send e-mail yet. Please write to <link>{email}</link>, and we will help you in. */
  export function noResetEmail(of: { link: (text: import("react").ReactNode) => import("react").ReactNode; email: string }): import("react").ReactNode;
  /** This shop cannot send e-mail yet. Please <link>write to us</link>, and we will help you in. */
  export function noResetEmailContact(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** {provider} did not confirm who you are. Please try again. */
  export function providerRefused(of: { provider: string }): string;
  /** One more step */
  export function oneMoreStep(): string;
  /** One more step. {text} */
  export function stepAnnouncement(of: { text: string }): string;
  /** Back */
  export function back(): string;
  /** Use another way */
  export function anotherWay(): string;
  /** Your account asks for a code too. Where should it come from? */
  export function chooseFactor(): string;
  /** Authenticator app */
  export function authenticatorApp(): string;
  /** Text message to {phone} */
  export function textMessageTo(of: { phone: string }): string;
  /** Type the code that your authenticator app shows for {shop}. */
  export function typeAppCode(of: { shop: string }): string;
  /** We send a code to {phone}. */
  export function codeWillGoTo(of: { phone: string }): string;
  /** A code is on its way to {phone}. */
  export function codeSentTo(of: { phone: string }): string;
  /** A new code is on its way to {phone}. */
  export function newCodeSentTo(of: { phone: string }): string;
  /** Send me a code */
  export function sendCode(): string;
  /** Send me a new code */
  export function sendNewCode(): string;
  /** Nothing there? Ask again in half a minute. */
  export function askAgainSoon(): string;
  /** Six-digit code */
  export function sixDigitCode(): string;
  /** Sign in · {shop} */
  export function loginTitle(of: { shop: string }): string;
  /** Sign in to your account at {shop}. */
  export function loginDescription(of: { shop: string }): string;
  /** Welcome back */
  export function welcomeBack(): string;
  /** Sign in to see your orders and check out faster. */
  export function loginLead(): string;
  /** or sign in with */
  export function orSignInWith(): string;
  /** New here? <link>Register Now</link> */
  export function newHere(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Register · {shop} */
  export function registerTitle(of: { shop: string }): string;
  /** Make an account at {shop}. */
  export function registerDescription(of: { shop: string }): string;
  /** Make an account */
  export function makeAccount(): string;
  /** One place for your orders, on every device. */
  export function registerLead(): string;
  /** or register with */
  export function orRegisterWith(): string;
  /** Already have an account? <link>Sign in</link> */
  export function haveAccountSignIn(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Sign up · {shop} */
  export function signUpTitle(of: { shop: string }): string;
  /** Sign up for an account at {shop}. */
  export function signUpDescription(of: { shop: string }): string;
  /** or */
  export function or(): string;
  /** CONTINUE WITH GOOGLE */
  export function continueWithGoogle(): string;
  /** Already have an account? <link>Please Login</link> */
  export function haveAccountLogin(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Something went wrong on our side. Please try again in a moment. */
  export function unknownError(): string;
  /** That email and password do not match. */
  export function noMatch(): string;
  /** Your session is over. Please sign in again. */
  export function sessionEnded(): string;
  /** This link was used before or is too old. Please ask for a new one. */
  export function staleLink(): string;
  /** This way of signing in is not set up in this shop yet. */
  export function wayNotAllowed(): string;
  /** Signing in does not work in this shop at the moment. Please write to us. */
  export function notSetUp(): string;
  /** The sign-in window gave no answer. Please try again. */
  export function noPopupAnswer(): string;
  /** We could not make the link for that e-mail. Please write to us. */
  export function noEmailLink(): string;
  /** That code is too old. Please ask for a new one. */
  export function staleCode(): string;
  /** This sign-in took too long. Please go back and begin again. */
  export function tooLate(): string;
  /** The account has that second step no more. Please go back and begin again. */
  export function factorRemoved(): string;
  /** We could not send a code. Please use another way, or write to us. */
  export function noCode(): string;
  /** That does not look like an email address. */
  export function badEmail(): string;
  /** There is already an account with this email. Sign in instead? */
  export function emailInUse(): string;
  /** That is another account than the one that is signed in. */
  export function anotherAccount(): string;
  /** This password is too easy to guess. Please choose another. */
  export function weakPassword(): string;
  /** Password must have 8 characters, with uppercase, number and special characters */
  export function passwordRequirements(): string;
  /** This account is closed. Write to us if you think that is a mistake. */
  export function accountClosed(): string;
  /** This sign-in was refused. Write to us if you think that is a mistake. */
  export function signInRefused(): string;
  /** Too many attempts. Please wait a few minutes and try again. */
  export function tooManyRequests(): string;
  /** The shop took too long to answer. Please try again. */
  export function timedOut(): string;
  /** For this, please sign in once more. */
  export function requiresRecentLogin(): string;
  /** Your browser kept the sign-in window closed. Please allow it and try again. */
  export function popupBlocked(): string;
  /** The sign-in window was closed before it was done. */
  export function popupClosed(): string;
  /** The sign-in was cancelled. */
  export function signInCancelled(): string;
  /** Another sign-in window took its place. */
  export function popupReplaced(): string;
  /** The other service could not be reached. Please try again in a moment. */
  export function providerUnreachable(): string;
  /** There is already an account with this email. Please sign in the way you did before, with your password or another button. */
  export function differentCredential(): string;
  /** That sign-in already belongs to another account. */
  export function credentialInUse(): string;
  /** This account asks for a second step. */
  export function secondStepRequired(): string;
  /** That code is not right. Try the newest one. */
  export function wrongCode(): string;
  /** We cannot send more messages at the moment. Please try again later. */
  export function quotaExceeded(): string;
  /** The account has this second step already. */
  export function factorInUse(): string;
  /** The account has as many second steps as it can have. Take one away first. */
  export function tooManyFactors(): string;
  /** This kind of account cannot have a second step. */
  export function unsupportedFirstFactor(): string;
  /** Please confirm your address first: the link is in our e-mail. */
  export function unverifiedEmail(): string;
  /** Your browser keeps nothing for this shop, so you cannot stay signed in. */
  export function noStorage(): string;
  /** The shop could not be reached. Check your connection and try again. */
  export function unreachable(): string;
}

declare module "messages/cart" {
  /** Shopping Cart */
  export function shoppingCart(): string;
  /** Check Out */
  export function checkOut(): string;
  /** Order Completed */
  export function orderCompleted(): string;
  /** What you are about to buy at {shop}. */
  export function description(of: { shop: string }): string;
  /** Steps */
  export function steps(): string;
  /** The cart needs JavaScript: it is kept in your browser alone. */
  export function needsJavaScript(): string;
  /** Cart, {count, plural, one {# item} other {# items}} */
  export function titleWithItems(of: { count: number }): string;
  /** Your cart is empty */
  export function empty(): string;
  /** What you put in waits here, also after you close the window. */
  export function emptyText(): string;
  /** Your carts is empty */
  export function emptyPage(): string;
  /** Put something in, and it waits for you here. */
  export function emptyPageText(): string;
  /** Continue Shopping */
  export function continueShopping(): string;
  /** Image */
  export function image(): string;
  /** Product */
  export function product(): string;
  /** Price */
  export function price(): string;
  /** Quantity */
  export function quantity(): string;
  /** Remove */
  export function remove(): string;
  /** Remove {name} */
  export function removeNamed(of: { name: string }): string;
  /** Quantity of {name} */
  export function quantityOf(of: { name: string }): string;
  /** One less of {name} */
  export function oneLessOf(of: { name: string }): string;
  /** One more of {name} */
  export function oneMoreOf(of: { name: string }): string;
  /** {most, number} is the most. */
  export function isTheMost(of: { most: number }): string;
  /** Only {stock, number} in stock. */
  export function onlyInStock(of: { stock: number }): string;
  /** No longer to be had. It is not counted. */
  export function lineGone(): string;
  /** Only {left, number} left in stock, so the quantity was lowered. */
  export function lineLowered(of: { left: number }): string;
  /** The price has changed from {before} to {now}. */
  export function priceChanged(of: { before: string; now: string }): string;
  /** Ships from {date}. */
  export function lineShips(of: { date: string }): string;
  /** Subtotal */
  export function subtotal(): string;
  /** Shipping is added in the cart. */
  export function shippingLater(): string;
  /** View Cart */
  export function viewCart(): string;
  /** Checkout */
  export function checkout(): string;
  /** Sub Total */
  export function subTotal(): string;
  /** Shipping */
  export function shipping(): string;
  /** Shipping ({method}) */
  export function shippingBy(of: { method: string }): string;
  /** Free */
  export function free(): string;
  /** Vat */
  export function vat(): string;
  /** {tax} {percent}% */
  export function taxAt(of: { tax: string; percent: string }): string;
  /** Includes {tax} {percent}% */
  export function taxIncluded(of: { tax: string; percent: string }): string;
  /** {tax} 0% (export) */
  export function taxOfExport(of: { tax: string }): string;
  /** {tax} 0% (tax exempt) */
  export function taxOfExempt(of: { tax: string }): string;
  /** {tax} not charged */
  export function taxNotCharged(of: { tax: string }): string;
  /** Total */
  export function total(): string;
  /** To pay */
  export function toPay(): string;
  /** Cart Total */
  export function cartTotal(): string;
  /** Vat is added at the next step: {amount} */
  export function vatLater(of: { amount: string }): string;
  /** Discount */
  export function discount(): string;
  /** Add a discount code */
  export function addCode(): string;
  /** Discount code */
  export function discountCode(): string;
  /** Discount codes */
  export function discountCodes(): string;
  /** Apply */
  export function applyCode(): string;
  /** Remove the code {code} */
  export function removeCode(of: { code: string }): string;
  /** The code {code} is in your cart. */
  export function codeInCart(of: { code: string }): string;
  /** The code {code} is applied. */
  export function codeApplied(of: { code: string }): string;
  /** Please type a code. */
  export function codeMissing(): string;
  /** It does not apply to this cart. */
  export function codeRefused(): string;
  /** There is no such code. */
  export function codeUnknown(): string;
  /** It has been used as often as it could be. */
  export function codeUsedUp(): string;
  /** It has ended. */
  export function codeEnded(): string;
  /** It has not started yet. */
  export function codeNotStarted(): string;
  /** It is for other hours or days of the week. */
  export function codeNotNow(): string;
  /** It is for a first order. */
  export function codeFirstOrder(): string;
  /** It changes nothing here. */
  export function codeNoEffect(): string;
  /** It is for orders to another country. */
  export function codeOtherCountry(): string;
  /** It is for certain customers. */
  export function codeOtherGroup(): string;
  /** It is for customers with an account: log in to use it. */
  export function codeNeedsAccount(): string;
  /** You have used it already. */
  export function codeAlreadyUsed(): string;
  /** It is for orders in {currencies}. */
  export function codeOtherCurrency(of: { currencies: string }): string;
  /** It is for other products than those in your cart. */
  export function codeNoGoods(): string;
  /** {missing, number} more to go: it needs {least, number} items. */
  export function codeMinQuantity(of: { missing: number; least: number }): string;
  /** {missing} to go: it needs goods for {least}. */
  export function codeMinSubTotal(of: { missing: string; least: string }): string;
  /** Its gift is not in your cart yet. */
  export function codeGiftMissing(): string;
  /** Put its gift into your cart: <link>{name}</link> */
  export function codeAddGift(of: { link: (text: import("react").ReactNode) => import("react").ReactNode; name: string }): import("react").ReactNode;
  /** Another offer saves you more. */
  export function codeBetterOffer(): string;
  /** Remove what is no longer to be had to go on. */
  export function removeGone(): string;
  /** Delivery */
  export function delivery(): string;
  /** Delivery to {place} */
  export function deliveryTo(of: { place: string }): string;
  /** Delivery method */
  export function deliveryMethod(): string;
  /** Change */
  export function change(): string;
  /** Change the destination */
  export function changeDestination(): string;
  /** Ready {dates} */
  export function pickupReady(of: { dates: string }): string;
  /** We do not deliver there. */
  export function undeliverable(): string;
  /** We do not deliver this cart to {place}. Please choose another destination or, if it is too heavy, order less. */
  export function undeliverableTo(of: { place: string }): string;
  /** The total could not be worked out. Check your connection and try again. */
  export function noTotal(): string;
  /** To Continue Please Login first */
  export function loginFirst(): string;
  /** Order without an account */
  export function orderAsGuest(): string;
  /** Proceed to checkout */
  export function proceed(): string;
  /** Successfully add your item! */
  export function added(): string;
  /** {added, number} of {wanted, number} added. {reason} */
  export function partlyAdded(of: { added: number; wanted: number; reason: string }): string;
  /** {count, plural, one {# product} other {# products}} in your cart now. */
  export function moved(of: { count: number }): string;
  /** This is out of stock. */
  export function notInStock(): string;
  /** {most, number} of one product is the most. */
  export function mostOfOne(of: { most: number }): string;
  /** There are only {stock, number}, and they are in your cart. */
  export function onlyInCart(of: { stock: number }): string;
  /** Your cart is full. */
  export function full(): string;
}

declare module "messages/catalog" {
  /** {option}: <strong>{value}</strong> */
  export function optionChosen(of: { option: string; strong: (text: import("react").ReactNode) => import("react").ReactNode; value: string }): import("react").ReactNode;
  /** {option}: {value} */
  export function optionValue(of: { option: string; value: string }): string;
  /** {name} ({options}) */
  export function variantNamed(of: { name: string; options: string }): string;
  /** {value}<hidden> (out of stock)</hidden> */
  export function valueSoldOut(of: { value: string; hidden: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** {value}<hidden> (not available with this choice)</hidden> */
  export function valueMissing(of: { value: string; hidden: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** This combination is not available. Please choose another one. */
  export function noSuchVariant(): string;
  /** Not available */
  export function unavailable(): string;
  /** {choice}: {state} */
  export function chosenNow(of: { choice: string; state: string }): string;
  /** Choose options for {name} */
  export function chooseFor(of: { name: string }): string;
  /** Choose options<hidden> for {name}</hidden> */
  export function chooseOptions(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string }): import("react").ReactNode;
  /** From {price} */
  export function priceFrom(of: { price: string }): string;
  /** Back-ordered: ships from {date} */
  export function backOrder(of: { date: string }): string;
  /** only {count, number} left now, more from {date} */
  export function leftNow(of: { count: number; date: string }): string;
  /** Add {name} to the cart */
  export function addNamed(of: { name: string }): string;
  /** {name} is out of stock */
  export function outOfStockNamed(of: { name: string }): string;
  /** Quick view of {name} */
  export function quickViewOf(of: { name: string }): string;
  /** View {name} */
  export function viewNamed(of: { name: string }): string;
  /** Save {percent, number}% */
  export function save(of: { percent: number }): string;
  /** Delivery, returns and payment */
  export function termsLabel(): string;
  /** {timed, select, range {Delivery in {least, number}–{most, plural, one {# day} other {# days}}} exact {Delivery in {most, plural, one {# day} other {# days}}} other {Delivery}}{cost, select, free {, free} freeOver { for {price}, free over {limit}} priced { for {price}} other {}} */
  export function delivery(of: { timed: "range" | "exact" | "other"; least: number; most: number; cost: "free" | "freeOver" | "priced" | "other"; price: string; limit: string }): string;
  /** Price includes {taxes} */
  export function priceIncludes(of: { taxes: string }): string;
  /** No returns */
  export function noReturns(): string;
  /** Return it within {days, plural, one {# day} other {# days}} of delivery */
  export function returnWithin(of: { days: number }): string;
  /** {returns}, pay by {ways} */
  export function returnsAndPayment(of: { returns: string; ways: string }): string;
  /** {first} or {last} */
  export function or(of: { first: string; last: string }): string;
  /** Ending Soon... */
  export function endingSoon(): string;
  /** Time left */
  export function timeLeft(): string;
  /** days */
  export function days(): string;
  /** hours */
  export function hours(): string;
  /** minutes */
  export function minutes(): string;
  /** seconds */
  export function seconds(): string;
  /** {days, plural, one {# day} other {# days}} {clock} */
  export function daysAndClock(of: { days: number; clock: string }): string;
  /** Until {date}: {time} left */
  export function saleUntil(of: { date: string; time: string }): string;
  /** This product is not sold any more. */
  export function notSold(): string;
  /** See what is similar in <name>{category}</name> */
  export function similarIn(of: { name: (text: import("react").ReactNode) => import("react").ReactNode; category: string }): import("react").ReactNode;
  /** only {count, number} left */
  export function onlyLeft(of: { count: number }): string;
  /** {count, plural, one {# more product} other {# more products}} shown */
  export function moreShown(of: { count: number }): string;
  /** More products could not be loaded */
  export function moreNotLoaded(): string;
  /** Show more */
  export function showMore(): string;
  /** {shown, number} of {total, number} */
  export function shownOf(of: { shown: number; total: number }): string;
  /** <hidden>instead of </hidden>{price} */
  export function insteadOf(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; price: string }): import("react").ReactNode;
  /** Pictures */
  export function pictures(): string;
  /** Picture {place, number}: {name} */
  export function pictureNamed(of: { place: number; name: string }): string;
  /** Picture {place, number} of {count, number} */
  export function pictureOf(of: { place: number; count: number }): string;
  /** The description could not be loaded */
  export function descriptionNotLoaded(): string;
  /** View product */
  export function viewProduct(): string;
  /** Recently seen */
  export function recentlySeen(): string;
  /** About this product */
  export function aboutProduct(): string;
  /** Description */
  export function description(): string;
  /** Information */
  export function information(): string;
  /** Reviews */
  export function reviews(): string;
  /** Related products */
  export function related(): string;
  /** Share this product */
  export function shareProduct(): string;
  /** You save {amount} */
  export function youSave(of: { amount: string }): string;
  /** You save {amount} ({percent, number}%) */
  export function youSavePercent(of: { amount: string; percent: number }): string;
  /** {count, plural, one {# Review} other {# Reviews}} */
  export function reviewCount(of: { count: number }): string;
  /** Write the first review */
  export function writeFirst(): string;
  /** SKU */
  export function sku(): string;
  /** Sent by e-mail, to you or to somebody else, on a day that you choose */
  export function sentByEmail(): string;
  /** It can be returned until something is spent from it */
  export function giftCardReturns(): string;
  /** Lowest price of the last {days, plural, one {# day} other {# days}}: {price} */
  export function lowestPrice(of: { days: number; price: string }): string;
}

declare module "messages/checkout" {
  /** Checkout */
  export function title(): string;
  /** Where your order from {shop} goes, and what it costs. */
  export function description(of: { shop: string }): string;
  /** Placing an order needs JavaScript. Please switch it on. */
  export function needsJavaScript(): string;
  /** One step before */
  export function oneStepBefore(): string;
  /** An order belongs to an account, so that you can follow it, and send it back. */
  export function signInText(): string;
  /** You order without an account. If you have one, <link>log in</link>. */
  export function asGuest(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Billing details */
  export function billingDetails(): string;
  /** Name */
  export function name(): string;
  /** First name */
  export function firstName(): string;
  /** Last name */
  export function lastName(): string;
  /** Last name is required */
  export function lastNameRequired(): string;
  /** Email */
  export function email(): string;
  /** The order belongs to this address. */
  export function emailHelp(): string;
  /** For a confirmation of your order. */
  export function guestEmailHelp(): string;
  /** For a confirmation of your order. Without it we send a text message. */
  export function guestEmailOrTextHelp(): string;
  /** Phone */
  export function phone(): string;
  /** Remembered addresses */
  export function rememberedAddresses(): string;
  /** Address */
  export function address(): string;
  /** Payment */
  export function payment(): string;
  /** Your store credit could not be loaded. */
  export function creditNotLoaded(): string;
  /** Use store credit ({amount}) */
  export function spendCredit(of: { amount: string }): string;
  /** It pays all of this order. */
  export function creditPaysAll(): string;
  /** Then {amount} is left to pay. */
  export function leftToPay(of: { amount: string }): string;
  /** Your order */
  export function yourOrder(): string;
  /** Show all {count, number} products */
  export function showAll(of: { count: number }): string;
  /** Nothing of this is to be had any more. */
  export function nothingLeft(): string;
  /** Back to the cart */
  export function backToCart(): string;
  /** Place Order */
  export function placeOrder(): string;
  /** Continue to payment */
  export function continueToPayment(): string;
  /** By placing your order you accept our <link>terms</link>. */
  export function acceptTerms(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** There is nothing to order yet. */
  export function nothingToOrder(): string;
  /** Order successfully done */
  export function done(): string;
  /** <strong>Nothing was ordered.</strong> {message} */
  export function notOrdered(of: { strong: (text: import("react").ReactNode) => import("react").ReactNode; message: string }): import("react").ReactNode;
  /** <strong>{message}</strong> Nothing was ordered. */
  export function notOrderedAfter(of: { strong: (text: import("react").ReactNode) => import("react").ReactNode; message: string }): import("react").ReactNode;
  /** {name} is sold out. */
  export function lineSoldOut(of: { name: string }): string;
  /** Only {left, number} of {name} are left. */
  export function onlyLeftOf(of: { left: number; name: string }): string;
  /** {code}: {reason} */
  export function codeRefused(of: { code: string; reason: string }): string;
  /** If the new total suits you, place the order again. */
  export function orderAgain(): string;
  /** The shop did not answer, so we do not know yet whether your order has arrived. Try again: it is placed once, however often you do. */
  export function noAnswer(): string;
  /** You have been signed out. Please sign in again. */
  export function signedOut(): string;
  /** Code */
  export function phoneCode(): string;
  /** We have sent a text message with a code to {phone}. */
  export function phoneCodeSent(of: { phone: string }): string;
  /** Please type the code from the text message. */
  export function phoneCodeRequired(): string;
  /** Send another code */
  export function sendCodeAgain(): string;
  /** <strong>Nothing was ordered.</strong> For so much your address would have to be confirmed first. This shop cannot send e-mail yet. Order less, or <link>write to us</link>. */
  export function cannotConfirm(of: { strong: (text: import("react").ReactNode) => import("react").ReactNode; link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Send me the link again */
  export function sendLinkAgain(): string;
  /** An e-mail with the link is on its way. */
  export function linkSent(): string;
  /** Showing what you have ordered needs JavaScript. */
  export function showingNeedsJavaScript(): string;
  /** There is no order to show */
  export function noOrder(): string;
  /** Nothing was ordered in this window. What you have ordered before is in your account. */
  export function noOrderText(): string;
  /** To the cart */
  export function toTheCart(): string;
  /** Purchase History */
  export function purchaseHistory(): string;
  /** Your Order Has Been Completed */
  export function completed(): string;
  /** Thank you. We are on it. */
  export function thankYou(): string;
  /** Order number */
  export function orderNumber(): string;
  /** From store credit */
  export function fromCredit(): string;
  /** What happens next */
  export function whatNext(): string;
  /** An e-mail with all of this is on its way to {email}. */
  export function emailComing(of: { email: string }): string;
  /** This shop cannot send e-mail yet. Please note the number: it leads to your order, as does your account. */
  export function noteNumber(): string;
  /** Please note the number: with it and your phone number you can see where your order is. */
  export function noteNumberGuest(): string;
  /** A text message with the number is on its way to your phone. */
  export function textComing(): string;
  /** We pack your order. */
  export function wePack(): string;
  /** We pack your order, and write again when it is handed to the courier. */
  export function wePackAndWrite(): string;
  /** Until it is packed you can still cancel it. */
  export function untilPacked(): string;
  /** You pay the courier at your door. Until it is packed you can still cancel it. */
  export function payCourier(): string;
  /** You pay when you pick it up. Until it is packed you can still cancel it. */
  export function payAtPickup(): string;
  /** You pay the courier at your door. */
  export function payCourierGuest(): string;
  /** You pay when you pick it up. */
  export function payAtPickupGuest(): string;
  /** To cancel it, send it back or have an invoice, <link>add it to an account</link>. */
  export function claimLater(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** We pack your order and set it aside for you. */
  export function weSetAside(): string;
  /** See the order */
  export function seeOrder(): string;
  /** What you ordered */
  export function whatYouOrdered(): string;
  /** and {count, number} more */
  export function andMore(of: { count: number }): string;
  /** Who gets the gift card */
  export function giftCards(): string;
  /** Each card is sent by e-mail with its code, as soon as the order is paid. */
  export function giftCardsHelp(): string;
  /** {count, number} × {name} */
  export function giftCardLine(of: { count: number; name: string }): string;
  /** Email address of the recipient */
  export function giftCardEmail(): string;
  /** Leave it empty to get the card yourself. */
  export function giftCardEmailHelp(): string;
  /** Say to which address the card is sent */
  export function giftCardEmailRequired(): string;
  /** Day on which it is sent */
  export function giftCardDay(): string;
  /** Leave it empty to send it at once. */
  export function giftCardDayHelp(): string;
}

declare module "messages/common" {
  /** Home */
  export function home(): string;
  /** About */
  export function about(): string;
  /** Cart */
  export function cart(): string;
  /** Blog */
  export function blog(): string;
  /** Contact */
  export function contact(): string;
  /** Wishlist */
  export function wishlist(): string;
  /** Search */
  export function search(): string;
  /** Account */
  export function account(): string;
  /** Register */
  export function register(): string;
  /** Sign in */
  export function signIn(): string;
  /** Track my order */
  export function trackMyOrder(): string;
  /** Back to the shop */
  export function backToShop(): string;
  /** Browse the products */
  export function browseProducts(): string;
  /** Retry */
  export function retry(): string;
  /** Try again */
  export function tryAgain(): string;
  /** Close */
  export function close(): string;
  /** Cancel */
  export function cancel(): string;
  /** Apply */
  export function apply(): string;
  /** Sort by */
  export function sortBy(): string;
  /** Products */
  export function products(): string;
  /** {count, plural, one {# product} other {# products}} */
  export function productCount(of: { count: number }): string;
  /** Categories */
  export function categories(): string;
  /** Category */
  export function category(): string;
  /** Brand */
  export function brand(): string;
  /** Tags */
  export function tags(): string;
  /** In stock */
  export function inStock(): string;
  /** Out of stock */
  export function outOfStock(): string;
  /** Add to cart */
  export function addToCart(): string;
  /** Add to cart<hidden>: {name}</hidden> */
  export function addThisToCart(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string }): import("react").ReactNode;
  /** The cart needs JavaScript. */
  export function cartNeedsJavaScript(): string;
  /** Cash on delivery */
  export function cashOnDelivery(): string;
  /** Credit card */
  export function creditCard(): string;
  /** PayPal */
  export function paypal(): string;
  /** Google Pay */
  export function googlePay(): string;
  /** bKash */
  export function bkash(): string;
  /** SSLCommerz */
  export function sslcommerz(): string;
  /** Store credit */
  export function storeCredit(): string;
  /** Gift card */
  export function giftCard(): string;
  /** Gift card •••• {lastFour} */
  export function giftCardEnding(of: { lastFour: string }): string;
  /** Terms Of Use */
  export function termsOfUse(): string;
  /** Privacy Policies */
  export function privacyPolicies(): string;
  /** Refund Policies */
  export function refundPolicies(): string;
  /** Return Policies */
  export function returnPolicies(): string;
  /** Reload */
  export function reload(): string;
  /** Part of this page did not load. */
  export function partNotLoaded(): string;
}

declare module "messages/content" {
  /** What we promise */
  export function promises(): string;
  /** {minutes, number} min read */
  export function minutesToRead(of: { minutes: number }): string;
  /** carousel */
  export function carousel(): string;
  /** slide */
  export function slide(): string;
  /** {place, number} of {count, number} */
  export function slideOf(of: { place: number; count: number }): string;
  /** Previous slide */
  export function previousSlide(): string;
  /** Next slide */
  export function nextSlide(): string;
  /** Let the slides move */
  export function startSlides(): string;
  /** Stop the slides */
  export function stopSlides(): string;
  /** {shop}: the blog */
  export function feed(of: { shop: string }): string;
  /** Notes from the stall */
  export function notesFromStall(): string;
  /** Notes from {shop} */
  export function notesFrom(of: { shop: string }): string;
  /** How to choose things, use them and make them last. */
  export function blogLead(): string;
  /** Notes from {shop}. */
  export function blogDescription(of: { shop: string }): string;
  /** Notes from {shop}: how to choose things, use them and make them last. */
  export function blogDescriptionDemo(of: { shop: string }): string;
  /** Nothing has been written yet. */
  export function nothingWritten(): string;
  /** See the products */
  export function seeProducts(): string;
  /** In this article */
  export function inThisArticle(): string;
  /** Mentioned here */
  export function mentioned(): string;
  /** More posts */
  export function morePosts(): string;
  /** Previous */
  export function previous(): string;
  /** Next */
  export function next(): string;
  /** Questions, answered */
  export function questions(): string;
  /** Not among them? Ask a person. */
  export function askPerson(): string;
  /** Write to us */
  export function writeToUs(): string;
  /** This is a template that came with the shop's software. {shop} has not checked it yet. */
  export function template(of: { shop: string }): string;
  /** Updated <time>{date}</time> */
  export function updated(of: { time: (text: import("react").ReactNode) => import("react").ReactNode; date: string }): import("react").ReactNode;
  /** On this page */
  export function onThisPage(): string;
  /** Other policies */
  export function otherPolicies(): string;
}

declare module "messages/credit" {
  /** Date */
  export function date(): string;
  /** What for */
  export function whatFor(): string;
  /** Amount */
  export function amount(): string;
  /** Balance */
  export function balance(): string;
  /** Your store credit could not be loaded */
  export function notLoaded(): string;
  /** More entries could not be loaded. Please try again. */
  export function moreNotLoaded(): string;
  /** Your balance */
  export function yourBalance(): string;
  /** Spend it on any order, at the checkout. It does not expire. */
  export function spendIt(): string;
  /** No store credit yet */
  export function none(): string;
  /** When you send something back, you may have it refunded as store credit. It stands here at once, and pays for any order. */
  export function noneText(): string;
  /** From the shop */
  export function granted(): string;
  /** Refund of order <order></order> */
  export function refund(of: { order: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Paid for order <order></order> */
  export function spent(of: { order: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Back from order <order></order> */
  export function returned(of: { order: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Ended with the account */
  export function ended(): string;
}

declare module "messages/emailAction" {
  /** Your account · {shop} */
  export function pageTitle(of: { shop: string }): string;
  /** Where the links in the e-mails of {shop} lead. */
  export function pageDescription(of: { shop: string }): string;
  /** This page needs JavaScript. Please switch it on and open the link again. */
  export function needsJavaScript(): string;
  /** One moment… */
  export function oneMoment(): string;
  /** We are checking the link from your e-mail. */
  export function checkingLink(): string;
  /** Continue shopping */
  export function continueShopping(): string;
  /** Your address is confirmed. */
  export function verified(): string;
  /** Thank you. Now we can reach you about your orders. */
  export function verifiedText(): string;
  /** Choose a new password */
  export function choosePassword(): string;
  /** For {email} */
  export function forAddress(of: { email: string }): string;
  /** Change my password */
  export function changePassword(): string;
  /** New password */
  export function newPassword(): string;
  /** Your password is changed. */
  export function passwordChanged(): string;
  /** You are signed out everywhere. The new password lets you in again. */
  export function passwordChangedText(): string;
  /** Confirm your new address */
  export function confirmAddress(): string;
  /** You sign in with it, and our e-mails go there. */
  export function confirmAddressText(): string;
  /** Until now */
  export function untilNow(): string;
  /** From now on */
  export function fromNowOn(): string;
  /** Confirm the change */
  export function confirmChange(): string;
  /** Your address is changed. */
  export function addressChanged(): string;
  /** From now on, sign in with {email}. You are signed out everywhere until then. */
  export function addressChangedText(of: { email: string }): string;
  /** Was that not you? */
  export function wasNotYou(): string;
  /** The address of your account was changed. You can have the old one back. */
  export function wasNotYouText(): string;
  /** Your address again */
  export function addressAgain(): string;
  /** Undo the change */
  export function undoChange(): string;
  /** The change is undone. */
  export function changeUndone(): string;
  /** Your account is back at {email}, and signed out everywhere. The old password opens nothing any more. */
  export function changeUndoneText(of: { email: string }): string;
  /** Your account is back at {email}, and signed out everywhere. The old password opens nothing any more: choose a new one with the link in the e-mail that is on its way to you. */
  export function changeUndoneEmail(of: { email: string }): string;
  /** This link was sent to another address. */
  export function otherAddress(): string;
  /** To which address did we send this link? */
  export function whichAddress(): string;
  /** As {email} */
  export function asAddress(of: { email: string }): string;
  /** This link is not complete. */
  export function incomplete(): string;
  /** Part of it got lost on the way. Please open it from the e-mail once more. */
  export function incompleteText(): string;
  /** This link is too old. */
  export function expired(): string;
  /** To be safe, a link from our e-mails works for a limited time. */
  export function expiredText(): string;
  /** This link does not work any more. */
  export function invalid(): string;
  /** It was used before, or part of it got lost on the way. */
  export function invalidText(): string;
  /** Confirm your address */
  export function confirmYours(): string;
  /** The link for it is in our e-mail. Is it gone, or does it not work? */
  export function confirmYoursText(): string;
  /** That did not work. */
  export function failed(): string;
  /** {text} We can send you a new one. */
  export function canSendNew(of: { text: string }): string;
  /** This shop cannot send e-mail yet. So your address cannot be confirmed for now. */
  export function cannotConfirm(): string;
  /** {text} Once you are signed in, we can send you a new one. */
  export function signInForNew(of: { text: string }): string;
  /** {text} But {email} is confirmed: there is nothing left to do. */
  export function alreadyConfirmed(of: { text: string; email: string }): string;
  /** A new e-mail is on its way to {email}. */
  export function newEmailSent(of: { email: string }): string;
  /** Send me a new e-mail */
  export function sendNewEmail(): string;
  /** {text} If somebody else changed your address, write to us: we will help. */
  export function writeForHelp(of: { text: string }): string;
  /** Write to {email} */
  export function writeTo(of: { email: string }): string;
  /** Write to us */
  export function writeToUs(): string;
}

declare module "messages/errors" {
  /** The shop cannot be reached. Please try again. */
  export function unreachable(): string;
  /** Something went wrong. Please try again in a moment. */
  export function unknown(): string;
  /** Something in what you sent is not right. Please look through it once more. */
  export function invalid(): string;
  /** Something in what you sent does not fit together. Please look through it once more. */
  export function unprocessable(): string;
  /** Please sign in again. */
  export function unauthenticated(): string;
  /** Please sign in again: this session was ended. */
  export function sessionEnded(): string;
  /** For this, please sign in once more. */
  export function staleSignIn(): string;
  /** This is not allowed. */
  export function forbidden(): string;
  /** Only customers who have paid for it or received it may review it. */
  export function notBought(): string;
  /** You cannot vote for your own review. */
  export function ownReview(): string;
  /** This is not your address. */
  export function notYourEmail(): string;
  /** There is no such {what, select, address {address} category {category} customer {customer} order {order} page {page} picture {picture} post {post} product {product} review {review} wishlist {wishlist} other {thing}}. */
  export function notFound(of: { what: "address" | "category" | "customer" | "order" | "page" | "picture" | "post" | "product" | "review" | "wishlist" | "other" }): string;
  /** Something in your cart is not sold any more. */
  export function gone(): string;
  /** Somebody else was faster. Please look at your cart. */
  export function stock(): string;
  /** The price has changed. Please look at the new total. */
  export function price(): string;
  /** You have less store credit than that by now. */
  export function credit(): string;
  /** A gift card cannot pay that any more. Please look at what is left on it. */
  export function giftCard(): string;
  /** It cannot be delivered that way any more. Please look at the delivery once more. */
  export function delivery(): string;
  /** All your unpaid orders together may hold {most} items, and with this one it would be {units}. Order fewer, or get in touch with us. */
  export function tooManyUnpaid(of: { most: string; units: string }): string;
  /** All your unpaid orders together may come to {most}, and with this one it would be {amount}. Order less, or get in touch with us. */
  export function tooMuchUnpaid(of: { most: string; amount: string }): string;
  /** Before we deliver for more than {most} without payment, please confirm your e-mail address: open the link in the e-mail that we sent you, then place the order again. */
  export function unproven(of: { most: string }): string;
  /** Please confirm this order with the code that we send to your phone. */
  export function phoneCodeRequired(): string;
  /** This is not the code that we sent, or it is too old. */
  export function wrongPhoneCode(): string;
  /** Orders over {most} without payment need an account. Please log in, then place the order again. */
  export function signInRequired(of: { most: string }): string;
  /** We cannot send a text message to this number. Please log in, then place the order again. */
  export function noTextMessages(): string;
  /** This Idempotency-Key has placed another order already. */
  export function idempotencyKeyReused(): string;
  /** The order is packed already, so it cannot be cancelled any more. */
  export function packedAlready(): string;
  /** An order can be returned within a few days of its delivery only. */
  export function tooLateToReturn(): string;
  /** A cart holds at most {most} products. */
  export function cartFull(of: { most: string }): string;
  /** A wishlist holds at most {most} products. */
  export function wishlistFull(of: { most: string }): string;
  /** You can keep {most} addresses. Please remove one first. */
  export function addressesFull(of: { most: string }): string;
  /** It is back in stock already. */
  export function inStock(): string;
  /** Too many requests. Please try again later. */
  export function tooMany(): string;
  /** This address has too many stock alerts already. */
  export function tooManyAlerts(): string;
  /** At most {most} MiB can be sent. */
  export function tooLarge(of: { most: string }): string;
  /** A photo may have at most {most} MiB. */
  export function photoTooLarge(of: { most: string }): string;
  /** The request took too long to arrive. */
  export function tooSlow(): string;
  /** The photo took too long to arrive. */
  export function photoTooSlow(): string;
  /** The shop is busy. Please try again in a moment. */
  export function unavailable(): string;
  /** Something went wrong on our side. */
  export function internal(): string;
  /** This form was sent by another site. Please send it from the shop's own page. */
  export function crossSite(): string;
  /** {method} is not allowed for this address. */
  export function methodNotAllowed(of: { method: string }): string;
  /** The address is too long. */
  export function uriTooLong(): string;
  /** The headers are too large. */
  export function headersTooLarge(): string;
  /** The request could not be read. */
  export function unreadable(): string;
  /** Please fill this in. */
  export function required(): string;
  /** At most {most} characters. */
  export function tooLong(of: { most: string }): string;
  /** At most {most} characters in one line. */
  export function lineTooLong(of: { most: string }): string;
  /** This holds characters that cannot be shown. */
  export function controlCharacters(): string;
  /** It contains a character that cannot be stored. */
  export function badCharacter(): string;
  /** Please write the whole address, like name@example.com */
  export function badEmail(): string;
  /** Please write a number that we can call, like {example} */
  export function badPhone(of: { example: string }): string;
  /** Please write it like {example} */
  export function badPostcode(of: { example: string }): string;
  /** We do not deliver to this country. */
  export function unknownCountry(): string;
  /** Please choose one from the list. */
  export function unknownRegion(): string;
  /** Please choose a district of this division. */
  export function unknownDistrict(): string;
  /** At most {most} lines. */
  export function addressLinesTooManyLines(of: { most: string }): string;
  /** From 1 to 5 stars. */
  export function badRating(): string;
  /** This file is not a photo that we can use. JPEG, PNG, WebP or AVIF is required. */
  export function badPhoto(): string;
  /** This photo is too large. Please choose a smaller one. */
  export function photoDimensions(): string;
  /** The cart is empty. */
  export function cartEmpty(): string;
  /** At most {most} products. */
  export function tooManyLines(of: { most: string }): string;
  /** At most {most} of one product. */
  export function badQuantity(of: { most: string }): string;
  /** Only {left} can be had. */
  export function stockLeft(of: { left: string }): string;
  /** Store credit can pay from nothing to the total. */
  export function badCredit(): string;
  /** Your store credit does not cover the total. */
  export function creditTooSmall(): string;
  /** We do not know this gift card. Please check the code. */
  export function unknownGiftCard(): string;
  /** At most {most} gift cards can pay for one order. */
  export function tooManyGiftCards(of: { most: string }): string;
  /** The gift cards would pay more than the total, or one is listed twice. */
  export function badGiftCards(): string;
  /** The gift cards do not cover the total. */
  export function giftCardsTooSmall(): string;
  /** There are no prices in this currency any more. Please load the page again. */
  export function unknownCurrency(): string;
  /** This way to pay is not offered yet. */
  export function paymentUnavailable(): string;
  /** This way to pay does not take this amount in this currency. Please choose another one. */
  export function paymentAmount(): string;
  /** This order does not wait for payment any more. */
  export function notAwaitingPayment(): string;
  /** A payment for this order is on its way already. Please wait for it. */
  export function paymentProcessing(): string;
  /** The payment provider has refused. Please choose another way to pay. */
  export function paymentRefused(): string;
  /** This is more than can still be returned. */
  export function notReturnable(): string;
  /** A gift card of this order has been spent, so it cannot be taken back. */
  export function giftCardSpent(): string;
  /** A gift card is sent by e-mail. Please say to which address. */
  export function giftCardRecipientRequired(): string;
  /** This is no gift card of this order. */
  export function noGiftCard(): string;
  /** Please choose a day from today to one year ahead. */
  export function badSendingDay(): string;
  /** An order can buy at most {most} gift cards. */
  export function tooManyGiftCardsBought(of: { most: string }): string;
}

declare module "messages/format" {
  /** 0123456789 */
  export function digits(): string;
  /** thousand */
  export function grouping(): string;
  /** {day} {month} {year} */
  export function date(of: { day: string; month: string; year: string }): string;
  /** {day} {month} */
  export function dayMonth(of: { day: string; month: string }): string;
  /** {first}–{last} {month} */
  export function dayRange(of: { first: string; last: string; month: string }): string;
  /** {first} – {last} */
  export function dateRange(of: { first: string; last: string }): string;
  /** January, February, March, April, May, June, July, August, September, October, November, December */
  export function months(): string;
}

declare module "messages/forms" {
  /** Name */
  export function name(): string;
  /** Email */
  export function email(): string;
  /** Message */
  export function message(): string;
  /** Message is required */
  export function messageRequired(): string;
  /** Your message was sent. */
  export function messageSent(): string;
  /** Message sent */
  export function messageSentTitle(): string;
  /** Write to us */
  export function writeToUs(): string;
  /** Thank you. Your message is with us. */
  export function thanks(): string;
  /** A receipt is on its way to your address. */
  export function receiptComing(): string;
  /** The shop cannot be reached. Please try again in a moment. */
  export function unreachable(): string;
  /** E-mail address */
  export function emailAddress(): string;
  /** you@example.com */
  export function emailExample(): string;
  /** Sending… */
  export function sending(): string;
  /** Map */
  export function map(): string;
  /** Map of {address} */
  export function mapOf(of: { address: string }): string;
  /** Show the map */
  export function showMap(): string;
  /** Loads from openstreetmap.org. */
  export function mapSource(): string;
  /** Open in OpenStreetMap */
  export function openMap(): string;
  /** Subscribe */
  export function subscribe(): string;
  /** This shop cannot send e-mail yet. The newsletter waits until it can. */
  export function newsletterWaits(): string;
  /** Almost there: open the e-mail we have just sent you and confirm the address. */
  export function newsletterSent(): string;
  /** The newsletter */
  export function newsletter(): string;
  /** One e-mail a month: what is new on the stall, and one thing worth knowing. */
  export function newsletterText(): string;
  /** Almost there */
  export function almostThere(): string;
  /** Open the e-mail we have just sent you and confirm the address. */
  export function almostThereText(): string;
  /** Shall we write to you? */
  export function confirm(): string;
  /** The newsletter comes to this address from then on. Each has a link to leave. */
  export function confirmText(): string;
  /** Yes, write to me */
  export function confirmYes(): string;
  /** Thank you. You are on the list. */
  export function confirmed(): string;
  /** The next one comes to you too. Each has a link to leave. */
  export function confirmedText(): string;
  /** Leave the newsletter? */
  export function leave(): string;
  /** One press, and the address is deleted. */
  export function leaveText(): string;
  /** Leave */
  export function leaveYes(): string;
  /** You have left. */
  export function left(): string;
  /** The address is deleted, and no e-mail follows. You are welcome back at any time. */
  export function leftText(): string;
  /** This link does not work any more. */
  export function staleLink(): string;
  /** It waits for a week, and not all of it may have come with you. Ask for a new e-mail: */
  export function staleLinkText(): string;
  /** No e-mail could be sent */
  export function notSent(): string;
  /** This shop cannot send e-mail yet. So your address could not be confirmed. Please try again another day. */
  export function notSentText(): string;
  /** This shop cannot send e-mail yet. Please look in again. */
  export function alertWaits(): string;
  /** Tell me when it is back */
  export function alertTitle(): string;
  /** One e-mail when it is back in stock, and no others. */
  export function alertText(): string;
  /** It is noted. We will write to you once, when it is back. */
  export function alertSent(): string;
  /** Tell me */
  export function tellMe(): string;
  /** It is noted */
  export function noted(): string;
  /** We will write to you once, when it is back. Then the address is forgotten. */
  export function notedText(): string;
  /** No more of these e-mails? */
  export function noMore(): string;
  /** One press, and we forget every product that this address waits for. */
  export function noMoreText(): string;
  /** Forget them */
  export function forgetThem(): string;
  /** They are forgotten. */
  export function forgotten(): string;
  /** This address waits for nothing any more, and no e-mail follows. */
  export function forgottenText(): string;
  /** This link is not complete. */
  export function incomplete(): string;
  /** Not all of it may have come with you. Please open it from the e-mail once more. */
  export function incompleteText(): string;
  /** No e-mail can be sent */
  export function notAsked(): string;
  /** This shop cannot send e-mail yet. So we cannot tell you when it is back. Please look in again. */
  export function notAskedText(): string;
}

declare module "messages/giftCards" {
  /** Gift card balance */
  export function title(): string;
  /** See what is left on a gift card of {shop}, and until when it can be spent. */
  export function description(of: { shop: string }): string;
  /** Type the code of a gift card to see what is left on it. Whoever has the code can spend it, so show it to nobody. */
  export function lead(): string;
  /** Seeing the balance needs JavaScript. Please switch it on. */
  export function needsJavaScript(): string;
  /** Code of the gift card */
  export function code(): string;
  /** Show the balance */
  export function show(): string;
  /** Left on it */
  export function balance(): string;
  /** It pays for {amount}. */
  export function paysFor(of: { amount: string }): string;
  /** It can be spent until {date}. */
  export function until(of: { date: string }): string;
  /** It does not expire. */
  export function always(): string;
  /** Enter the code at checkout, in the section “Payment”. */
  export function spendIt(): string;
  /** Gift card */
  export function giftCard(): string;
  /** Apply */
  export function apply(): string;
  /** Gift cards that pay */
  export function applied(): string;
  /** The gift card •••• {lastFour} pays {amount}. */
  export function pays(of: { lastFour: string; amount: string }): string;
  /** Do not use the gift card •••• {lastFour} */
  export function remove(of: { lastFour: string }): string;
  /** Please type a code. */
  export function codeMissing(): string;
  /** We do not know this gift card. Please compare the code with the one on the card. */
  export function unknown(): string;
  /** This gift card is applied already. */
  export function twice(): string;
  /** Nothing is left on this gift card. */
  export function empty(): string;
  /** This gift card expired on {date}. */
  export function expired(of: { date: string }): string;
  /** This gift card is not valid any more. Please get in touch with us. */
  export function disabled(): string;
  /** That was tried too often. Please try again in an hour. */
  export function tooOften(): string;
  /** The shop cannot be reached. Check your connection and try again. */
  export function unreachable(): string;
  /** Nothing else is left to pay. */
  export function paysAll(): string;
}

declare module "messages/home" {
  /** From the stall */
  export function slides(): string;
  /** {products, plural, one {# product} other {# products}} in {categories, plural, one {# category} other {# categories}} */
  export function counts(of: { products: number; categories: number }): string;
  /** {products, plural, one {# product} other {# products}} in {categories, plural, one {# category} other {# categories}} at {shop}. */
  export function description(of: { products: number; categories: number; shop: string }): string;
  /** There are no products yet. Please look in again soon. */
  export function noProducts(): string;
  /** See the flash deals */
  export function flashDeals(): string;
}

declare module "messages/language" {
  /** English */
  export function name(language: string): string;
  /** en_GB */
  export function openGraph(language: string): string;
  /** This page is also in English. */
  export function offer(language: string): string;
  /** Read in English */
  export function accept(language: string): string;
  /** Close */
  export function dismiss(language: string): string;
}

declare module "messages/layout" {
  /** Skip to content */
  export function skipToContent(): string;
  /** Breadcrumbs */
  export function breadcrumbs(): string;
  /** Unexpected Application Error! */
  export function applicationError(): string;
  /** Something on this page broke. It is our fault, not yours. */
  export function brokenPage(): string;
  /** Status {status, number}, reference {reference} */
  export function statusReference(of: { status: number; reference: string }): string;
  /** About Us */
  export function aboutUs(): string;
  /** Contact Us */
  export function contactUs(): string;
  /** Blogs */
  export function blogs(): string;
  /** My Order */
  export function myOrder(): string;
  /** Gift card balance */
  export function giftCardBalance(): string;
  /** Newsletter */
  export function newsletter(): string;
  /** The shop */
  export function theShop(): string;
  /** Policies */
  export function policies(): string;
  /** On your phone */
  export function onYourPhone(): string;
  /** <small>Coming to</small> {system} */
  export function comingTo(of: { small: (text: import("react").ReactNode) => import("react").ReactNode; system: string }): import("react").ReactNode;
  /** iPhone */
  export function iphone(): string;
  /** Android */
  export function android(): string;
  /** Gallery */
  export function gallery(): string;
  /** For developers */
  export function forDevelopers(): string;
  /** Site */
  export function site(): string;
  /** Shopping */
  export function shopping(): string;
  /** Menu */
  export function menu(): string;
  /** {name}, {count, plural, one {# item} other {# items}} */
  export function nameWithItems(of: { name: string; count: number }): string;
  /** Shop by category */
  export function shopByCategory(): string;
  /** Logout */
  export function logout(): string;
  /** Currency */
  export function currency(): string;
  /** USD $ */
  export function usd(): string;
  /** BDT ৳ */
  export function bdt(): string;
  /** Change */
  export function change(): string;
  /** Theme: as the system */
  export function themeSystem(): string;
  /** Theme: light */
  export function themeLight(): string;
  /** Theme: dark */
  export function themeDark(): string;
  /** Payment options */
  export function paymentOptions(): string;
  /** Page not found */
  export function pageNotFound(): string;
  /** There is no page at this address. */
  export function noPageHere(): string;
  /** Nothing stands here */
  export function nothingHere(): string;
  /** The page may have moved, or the product is no longer sold. The market is still open. */
  export function movedMarket(): string;
  /** The page may have moved, or the product is no longer sold. The shop is still open. */
  export function movedShop(): string;
  /** You are offline */
  export function offline(): string;
  /** {shop} cannot be reached without a connection. */
  export function offlineDescription(of: { shop: string }): string;
  /** This page has not been opened on this device lately. It comes by itself once there is a connection again, and your cart stays as it is. */
  export function offlineMessage(): string;
  /** Can be read meanwhile */
  export function readMeanwhile(): string;
  /** Languages */
  export function languages(): string;
}

declare module "messages/orders" {
  /** Awaiting payment */
  export function awaitingPayment(): string;
  /** Placed */
  export function placed(): string;
  /** Confirmed */
  export function confirmed(): string;
  /** Packed */
  export function packed(): string;
  /** Shipped */
  export function shipped(): string;
  /** Delivered */
  export function delivered(): string;
  /** Cancelled */
  export function cancelled(): string;
  /** Return asked for */
  export function returnRequested(): string;
  /** Returned */
  export function returned(): string;
  /** Refunded */
  export function refunded(): string;
  /** Partly refunded */
  export function partlyRefunded(): string;
  /** It waits for your payment. We hold the goods meanwhile. */
  export function awaitingPaymentText(): string;
  /** We have your order. */
  export function placedText(): string;
  /** We have looked through it, and it will be packed. */
  export function confirmedText(): string;
  /** It waits for the courier. */
  export function packedText(): string;
  /** It is on its way to you. */
  export function shippedText(): string;
  /** It is with you. */
  export function deliveredText(): string;
  /** It was called off, and nothing will be charged. */
  export function cancelledText(): string;
  /** It was called off. What you paid is given back. */
  export function cancelledPaidText(): string;
  /** You asked to send it back. We are reading your request. */
  export function returnRequestedText(): string;
  /** It is back with us. */
  export function returnedText(): string;
  /** Your money was given back. */
  export function refundedText(): string;
  /** What you sent back was refunded. The rest is with you. */
  export function partlyRefundedText(): string;
  /** Unpaid */
  export function unpaid(): string;
  /** Paid */
  export function paid(): string;
  /** Nothing to pay */
  export function nothingToPay(): string;
  /** Paid back */
  export function paidBack(): string;
  /** Being processed */
  export function processing(): string;
  /** Reserved */
  export function reserved(): string;
  /** Partly paid */
  export function partlyPaid(): string;
  /** Disputed */
  export function disputed(): string;
  /** Not yet */
  export function notYet(): string;
  /** Good to see you, {name}. */
  export function hello(of: { name: string }): string;
  /** Your orders could not be loaded */
  export function ordersNotLoaded(): string;
  /** More orders could not be loaded. Please try again. */
  export function moreNotLoaded(): string;
  /** Orders */
  export function orders(): string;
  /** Total spent */
  export function totalSpent(): string;
  /** On the way */
  export function onTheWay(): string;
  /** Recent orders */
  export function recentOrders(): string;
  /** Purchase History */
  export function purchaseHistory(): string;
  /** {date} · {count, plural, one {# item} other {# items}} */
  export function dateAndItems(of: { date: string; count: number }): string;
  /** No orders yet */
  export function none(): string;
  /** What you buy stands here, with its invoice and where it is. */
  export function noneText(): string;
  /** Order */
  export function order(): string;
  /** Status */
  export function status(): string;
  /** Amount */
  export function amount(): string;
  /** Invoice */
  export function invoice(): string;
  /** Invoice of order {number} */
  export function invoiceOf(of: { number: string }): string;
  /** The invoice could not be loaded */
  export function invoiceNotLoaded(): string;
  /** The invoice could not be downloaded. Please try again. */
  export function invoiceNotDownloaded(): string;
  /** Print */
  export function print(): string;
  /** Download */
  export function download(): string;
  /** Billed to */
  export function billedTo(): string;
  /** Invoice {number} */
  export function issuedInvoice(of: { number: string }): string;
  /** Credit note {number} */
  export function issuedCreditNote(of: { number: string }): string;
  /** Tax number: {number} */
  export function taxNumber(of: { number: string }): string;
  /** Tax */
  export function tax(): string;
  /** Tax by rate */
  export function taxTable(): string;
  /** Net */
  export function net(): string;
  /** Gross */
  export function gross(): string;
  /** Item */
  export function item(): string;
  /** Qty */
  export function qty(): string;
  /** Price */
  export function price(): string;
  /** Store credit −{amount} */
  export function paidWithCredit(of: { amount: string }): string;
  /** Gift cards −{amount} */
  export function paidWithGiftCards(of: { amount: string }): string;
  /** To pay {amount} */
  export function leftToPay(of: { amount: string }): string;
  /** and {count, number} more */
  export function andMore(of: { count: number }): string;
  /** This order could not be loaded */
  export function orderNotLoaded(): string;
  /** There is no such order */
  export function noSuchOrder(): string;
  /** None of your orders has this number. It may have been placed with another account. */
  export function noSuchOrderText(): string;
  /** Where it is, and what can be done */
  export function whereAndWhat(): string;
  /** Where it is */
  export function whereItIs(): string;
  /** Track it without signing in */
  export function trackSignedOut(): string;
  /** What you bought */
  export function whatYouBought(): string;
  /** Review<hidden> {name}</hidden> */
  export function review(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string }): import("react").ReactNode;
  /** {count, number} return asked for */
  export function lineReturnRequested(of: { count: number }): string;
  /** {count, number} back with us */
  export function lineReturned(of: { count: number }): string;
  /** {count, number} return refused */
  export function lineReturnRefused(of: { count: number }): string;
  /** {count, number} returned and refunded */
  export function lineRefunded(of: { count: number }): string;
  /** Given back */
  export function givenBack(): string;
  /** Delivery address */
  export function deliveryAddress(): string;
  /** Payment */
  export function payment(): string;
  /** Buy again */
  export function buyAgain(): string;
  /** To the cart */
  export function toTheCart(): string;
  /** {count, plural, one {# item is} other {# items are}} in your cart. */
  export function inCart(of: { count: number }): string;
  /** Not all could be added: {rest}. */
  export function notAllAdded(of: { rest: string }): string;
  /** Nothing could be added: {rest}. */
  export function nothingAdded(of: { rest: string }): string;
  /** {name} ({reason}) */
  export function shortage(of: { name: string; reason: string }): string;
  /** no longer sold */
  export function noLongerSold(): string;
  /** out of stock */
  export function notInStock(): string;
  /** {most, number} of one product is the most */
  export function mostOfOne(of: { most: number }): string;
  /** your cart is full */
  export function cartFull(): string;
  /** only {stock, number} left */
  export function onlyLeft(of: { stock: number }): string;
  /** only {stock, number} left, which are in your cart */
  export function onlyLeftInCart(of: { stock: number }): string;
  /** Cancel order */
  export function cancelOrder(): string;
  /** Return items */
  export function returnItems(): string;
  /** Until {date}. */
  export function until(of: { date: string }): string;
  /** Cancel this order? */
  export function cancelTitle(): string;
  /** Nothing will be sent and nothing charged. This cannot be taken back. */
  export function cancelText(): string;
  /** Nothing will be sent, and what you paid is given back. This cannot be taken back. */
  export function cancelPaidText(): string;
  /** Yes, cancel it */
  export function cancelYes(): string;
  /** No, keep it */
  export function cancelNo(): string;
  /** What do you want to return? */
  export function returnTitle(): string;
  /** We read your request, and the order shows our answer. You get back what you paid for it, with its share of the Vat; delivery is not paid back. */
  export function returnText(): string;
  /** Ask to return */
  export function returnYes(): string;
  /** Not now */
  export function returnNo(): string;
  /** Choose what you want to return. */
  export function chooseReturn(): string;
  /** Why? (optional) */
  export function why(): string;
  /** How many of {name} */
  export function howManyOf(of: { name: string }): string;
  /** {count, number} of {most, number} */
  export function countOf(of: { count: number; most: number }): string;
  /** Track my order */
  export function trackTitle(): string;
  /** Where your order from {shop} is: its number and your e-mail address or phone number are enough. */
  export function trackDescription(of: { shop: string }): string;
  /** You were told the order’s number when you placed it. You need no account. */
  export function trackLead(): string;
  /** Tracking needs JavaScript. Please switch it on. */
  export function trackNeedsJavaScript(): string;
  /** Order number */
  export function orderNumber(): string;
  /** Order number is required */
  export function orderNumberRequired(): string;
  /** Track */
  export function track(): string;
  /** Order {number} */
  export function orderNumbered(of: { number: string }): string;
  /** There is no order with this number and this e-mail address or phone number. Please compare both with what you were told when you ordered. */
  export function trackNotFound(): string;
  /** That was asked too often. Please try again in an hour. */
  export function trackTooOften(): string;
  /** The shop cannot be reached. Check your connection and try again. */
  export function trackUnreachable(): string;
  /** Email or phone */
  export function emailOrPhone(): string;
  /** Please type your e-mail address or phone number. */
  export function emailOrPhoneRequired(): string;
  /** It was ordered without an account. <link>Log in or sign up</link> to add it to yours: there you can cancel it, send it back and have its invoice. */
  export function claimSignIn(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** It was ordered without an account. Add it to yours: there you can cancel it, send it back and have its invoice. */
  export function claimText(): string;
  /** Add to my account */
  export function claim(): string;
  /** We cannot see yet that it is yours. Confirm your e-mail address, if it is that of the order, or track it with its phone number. */
  export function claimNeedsProof(): string;
  /** Gift cards that you bought */
  export function soldGiftCards(): string;
  /** To {recipient} */
  export function soldGiftCardTo(of: { recipient: string }): string;
  /** Sent once the order is paid */
  export function soldGiftCardUnpaid(): string;
  /** Will be sent on {date} */
  export function soldGiftCardScheduled(of: { date: string }): string;
  /** Sent on {date} */
  export function soldGiftCardSent(of: { date: string }): string;
  /** Taken back */
  export function soldGiftCardVoided(): string;
}

declare module "messages/payment" {
  /** You pay on Stripe’s page, then come back here. */
  export function cardText(): string;
  /** In this demo you can pay with test cards. */
  export function testCards(): string;
  /** You pay with Google Pay on Stripe’s page, then come back here. */
  export function googlePayText(): string;
  /** You pay on PayPal’s page, then come back here. */
  export function paypalText(): string;
  /** You confirm with your bKash wallet, then come back here. */
  export function bkashText(): string;
  /** You pay by card, mobile wallet or bank on SSLCommerz’s page, then come back here. */
  export function sslcommerzText(): string;
  /** You pay the courier in cash. */
  export function cashText(): string;
  /** You pay in cash when you pick it up. */
  export function cashAtPickupText(): string;
  /** Nothing is left to pay. */
  export function creditText(): string;
  /** Not available yet */
  export function notAvailableYet(): string;
  /** {currency, select, BDT {taka} USD {US dollars} EUR {euros} GBP {pounds} other {{code}}} */
  export function inCurrency(of: { currency: "BDT" | "USD" | "EUR" | "GBP" | "other"; code: string }): string;
  /** {name} takes {currencies} only. */
  export function takesOnly(of: { name: string; currencies: string }): string;
  /** {name} takes {least} or more. */
  export function takesAtLeast(of: { name: string; least: string }): string;
  /** {name} takes {most} or less. */
  export function takesAtMost(of: { name: string; most: string }): string;
  /** {name} takes from {least} to {most}. */
  export function takesBetween(of: { name: string; least: string; most: string }): string;
  /** {reason} {name} is chosen instead. */
  export function chosenInstead(of: { reason: string; name: string }): string;
  /** Nothing is left to pay, so no way to pay is needed. */
  export function nothingToChoose(): string;
  /** Your order {number} waits for payment. <link>Pay for it</link> */
  export function waiting(of: { number: string; link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** It holds these goods. To order them in another way, cancel it there first. */
  export function waitingHelp(): string;
  /** Your order {number} waits for payment. */
  export function waitingLater(of: { number: string }): string;
  /** Pay now<hidden> for order {number}</hidden> */
  export function payNow(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; number: string }): import("react").ReactNode;
  /** What has become of the payment for your order from {shop}, and how to pay for it. */
  export function pageDescription(of: { shop: string }): string;
  /** Your order waits for payment */
  export function awaiting(): string;
  /** Nothing has been charged so far. */
  export function awaitingText(): string;
  /** We are checking your payment */
  export function asking(): string;
  /** We are asking the payment provider. This page moves on by itself. */
  export function askingText(): string;
  /** This takes longer than usual. We keep asking; you can also come back to this page later. */
  export function askingLong(): string;
  /** The shop cannot be reached. We keep trying. */
  export function askingOffline(): string;
  /** Look again */
  export function lookAgain(): string;
  /** Not paid yet? */
  export function notPaidYet(): string;
  /** Your bank is working on it */
  export function processing(): string;
  /** This may take some days. We hold your goods meanwhile. */
  export function processingText(): string;
  /** We write to you as soon as the payment is there. */
  export function processingWrite(): string;
  /** Keep the address of this page: it shows when the payment is there. */
  export function processingKeep(): string;
  /** The payment did not work */
  export function failed(): string;
  /** You cancelled the payment */
  export function failedCancelled(): string;
  /** Your bank has declined the card. */
  export function cardDeclined(): string;
  /** There was not enough money for it. */
  export function noFunds(): string;
  /** The card has expired. */
  export function expiredCard(): string;
  /** The security code of the card was wrong. */
  export function incorrectCvc(): string;
  /** Your bank could not confirm that it was you. */
  export function notAuthenticated(): string;
  /** The payment page was open for too long. */
  export function pageExpired(): string;
  /** It was refused because it looked unusual. */
  export function risk(): string;
  /** The payment provider refused it. */
  export function otherReason(): string;
  /** Nothing was charged. */
  export function nothingCharged(): string;
  /** Choose another card or another way, and pay again. */
  export function payAgain(): string;
  /** How do you want to pay? */
  export function chooseWay(): string;
  /** Pay {amount} */
  export function pay(of: { amount: string }): string;
  /** We hold the goods for {minutes, plural, one {# more minute} other {# more minutes}}. */
  export function held(of: { minutes: number }): string;
  /** We hold the goods until {time} (UTC). */
  export function heldUntil(of: { time: string }): string;
  /** The payment provider cannot be reached now. Please try again, or choose another way. */
  export function providerUnreachable(): string;
  /** It cannot be paid online at the moment. Please <link>write to us</link>. */
  export function noWays(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Cancel this order */
  export function cancelQuestion(): string;
  /** The order is cancelled and nothing is charged. */
  export function cancelText(): string;
  /** Yes, cancel it */
  export function cancelOrder(): string;
  /** The time to pay is over */
  export function expired(): string;
  /** Nothing was charged, and the goods are no longer held for you. */
  export function expiredText(): string;
  /** This order is cancelled */
  export function cancelled(): string;
  /** What you paid is given back. Your bank may take some days to show it. */
  export function cancelledPaidBack(): string;
  /** Nothing was charged. The reserved amount is released. */
  export function cancelledReleased(): string;
  /** Your money was given back */
  export function refunded(): string;
  /** {amount} went back the way you paid. Your bank may take some days to show it. */
  export function refundedText(of: { amount: string }): string;
  /** Part of your money was given back */
  export function partlyRefunded(): string;
  /** {refunded} of {amount} went back the way you paid. Your bank may take some days to show it. */
  export function partlyRefundedText(of: { refunded: string; amount: string }): string;
  /** The bank is looking into this payment */
  export function disputed(): string;
  /** The bank was asked to take the payment back, and decides about it. If that was a mistake, <link>write to us</link>. */
  export function disputedText(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Thank you. {amount} is reserved, and charged when we ship. */
  export function authorisedText(of: { amount: string }): string;
  /** Nothing is to be paid here */
  export function unpaid(): string;
  /** This order is paid when it arrives. */
  export function unpaidText(): string;
  /** Paid with */
  export function paidWith(): string;
  /** Date */
  export function date(): string;
  /** Paid */
  export function paid(): string;
  /** Reserved */
  export function reserved(): string;
  /** Given back */
  export function givenBack(): string;
  /** Total */
  export function total(): string;
  /** Amount */
  export function amount(): string;
  /** To pay */
  export function toPay(): string;
  /** See the order and its invoice */
  export function seeInvoice(): string;
  /** To cancel it, send it back or have an invoice, <link>add it to an account</link>. */
  export function claimLater(of: { link: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Not paid yet */
  export function statePending(): string;
  /** Being processed */
  export function stateProcessing(): string;
  /** Reserved */
  export function stateAuthorised(): string;
  /** To be paid on delivery */
  export function stateToCollect(): string;
  /** Partly paid back */
  export function statePartlyRefunded(): string;
  /** Paid back */
  export function stateRefunded(): string;
  /** Called off */
  export function stateVoided(): string;
  /** Did not work */
  export function stateFailed(): string;
  /** −{amount} paid back */
  export function paidBack(of: { amount: string }): string;
  /** {date}, {time} */
  export function dateAndTime(of: { date: string; time: string }): string;
  /** We are asking the payment provider. */
  export function askingShort(): string;
}

declare module "messages/reviews" {
  /** Newest */
  export function sortNewest(): string;
  /** Oldest */
  export function sortOldest(): string;
  /** Highest rating */
  export function sortHighest(): string;
  /** Lowest rating */
  export function sortLowest(): string;
  /** Most helpful */
  export function sortHelpful(): string;
  /** What buyers say about {name} */
  export function heading(of: { name: string }): string;
  /** No one has written yet */
  export function none(): string;
  /** Your review */
  export function yours(): string;
  /** Only you see this yet. We look at it before it is shown. */
  export function queued(): string;
  /** Only you see this. We do not show it: {note} */
  export function refused(of: { note: string }): string;
  /** Edit */
  export function edit(): string;
  /** Delete */
  function delete_(): string;
  export { delete_ as delete };
  /** Delete your review? */
  export function deleteQuestion(): string;
  /** Its stars no longer count, and its words are gone for good. You may write another. */
  export function deleteText(): string;
  /** Yes, delete it */
  export function deleteYes(): string;
  /** No, keep it */
  export function deleteNo(): string;
  /** Your review is deleted. */
  export function deleted(): string;
  /** {count, plural, one {# review} other {# reviews}} */
  export function count(of: { count: number }): string;
  /** {stars, plural, one {# star} other {# stars}}: {count, plural, one {# review} other {# reviews}} */
  export function starCount(of: { stars: number; count: number }): string;
  /** Choose from one to five stars */
  export function chooseStars(): string;
  /** Title is required */
  export function titleRequired(): string;
  /** Review is required */
  export function bodyRequired(): string;
  /** Thank you for your review. */
  export function thanks(): string;
  /** Thank you. We look at it first. */
  export function thanksQueued(): string;
  /** How do you like {name}? */
  export function question(of: { name: string }): string;
  /** Poor */
  export function poor(): string;
  /** Fair */
  export function fair(): string;
  /** Good */
  export function good(): string;
  /** Great */
  export function great(): string;
  /** Superb */
  export function superb(): string;
  /** Title */
  export function title(): string;
  /** Review */
  export function body(): string;
  /** {count, number} characters left */
  export function charactersLeft(of: { count: number }): string;
  /** It is shown under your display name. One that holds a link waits until we have looked at it. */
  export function help(): string;
  /** Send review */
  export function send(): string;
  /** Save changes */
  export function saveChanges(): string;
  /** {title}, by {name} */
  export function titleAndAuthor(of: { title: string; name: string }): string;
  /** A customer */
  export function customer(): string;
  /** edited */
  export function edited(): string;
  /** Bought: {options} */
  export function bought(of: { options: string }): string;
  /** Helpful */
  export function helpful(): string;
  /** Helpful: {title} */
  export function helpfulNamed(of: { title: string }): string;
  /** {count, plural, one {# person} other {# people}} found this helpful */
  export function foundHelpful(of: { count: number }): string;
  /** That could not be counted. Please try again. */
  export function voteFailed(): string;
  /** Everybody who writes here has bought it in this shop. */
  export function boughtHere(): string;
  /** Sign in to write a review */
  export function signInToWrite(): string;
  /** Your own review could not be loaded. */
  export function ownNotLoaded(): string;
  /** You can review it once you have paid for it or received it. */
  export function onceReceived(): string;
  /** Write a review */
  export function write(): string;
}

declare module "messages/search" {
  /** Shop Page */
  export function shopPage(): string;
  /** Show all {count, number} */
  export function showAll(of: { count: number }): string;
  /** Show fewer */
  export function showFewer(): string;
  /** {count, plural, one {#<hidden> product</hidden>} other {#<hidden> products</hidden>}} */
  export function amount(of: { count: number; hidden: (text: import("react").ReactNode) => import("react").ReactNode }): import("react").ReactNode;
  /** Filters */
  export function filters(): string;
  /** Filters ({count, number}) */
  export function filtersWithCount(of: { count: number }): string;
  /** Clear all */
  export function clearAll(): string;
  /** Clear all filters */
  export function clearAllFilters(): string;
  /** Nothing fits */
  export function nothingFits(): string;
  /** {count, plural, one {Show # product} other {Show # products}} */
  export function showProducts(of: { count: number }): string;
  /** Default */
  export function sortDefault(): string;
  /** Price low to high */
  export function sortPriceUp(): string;
  /** Price high to low */
  export function sortPriceDown(): string;
  /** Best match */
  export function sortBest(): string;
  /** Relevance */
  export function sortRelevance(): string;
  /** View */
  export function view(): string;
  /** Grid */
  export function grid(): string;
  /** List */
  export function list(): string;
  /** Show */
  export function show(): string;
  /** Apply filters */
  export function applyFilters(): string;
  /** In {category} */
  export function inCategory(of: { category: string }): string;
  /** {rating, plural, one {# star} other {# stars}} and up */
  export function starsAndUp(of: { rating: number }): string;
  /** New arrivals */
  export function newArrivals(): string;
  /** On offer */
  export function onOffer(): string;
  /** From {min} */
  export function priceFrom(of: { min: string }): string;
  /** Up to {max} */
  export function priceUpTo(of: { max: string }): string;
  /** {min} to {max} */
  export function priceSpan(of: { min: string; max: string }): string;
  /** All categories */
  export function allCategories(): string;
  /** Colour */
  export function colour(): string;
  /** Rating */
  export function rating(): string;
  /** Any rating */
  export function anyRating(): string;
  /** Availability */
  export function availability(): string;
  /** Last 30 days */
  export function lastDays(): string;
  /** Offers */
  export function offers(): string;
  /** On offer now */
  export function onOfferNow(): string;
  /** Price ({currency}) */
  export function price(of: { currency: string }): string;
  /** From */
  export function from(): string;
  /** To */
  export function to(): string;
  /** Filters that are on */
  export function activeFilters(): string;
  /** {name}: {value} */
  export function namedValue(of: { name: string; value: string }): string;
  /** <hidden>Remove </hidden>{filter} */
  export function removeFilter(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; filter: string }): import("react").ReactNode;
  /** Nothing fits all of this */
  export function nothingFitsAll(): string;
  /** Take one of the filters away, or start afresh. */
  export function removeOne(): string;
  /** Out of stock<hidden>: {name}</hidden> */
  export function outOfStockNamed(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string }): import("react").ReactNode;
  /** Search in */
  export function searchIn(): string;
  /** Search for */
  export function searchFor(): string;
  /** Search the market */
  export function searchMarket(): string;
  /** Search the shop */
  export function searchShop(): string;
  /** {count, plural, one {# suggestion} other {# suggestions}} */
  export function suggestionCount(of: { count: number }): string;
  /** Suggestions */
  export function suggestions(): string;
  /** Recent searches */
  export function recentSearches(): string;
  /** Clear */
  export function clear(): string;
  /** Forget the search for {query} */
  export function forget(of: { query: string }): string;
  /** Searches */
  export function searches(): string;
  /** {title}: {count, plural, one {# product} other {# products}} */
  export function titleWithCount(of: { title: string; count: number }): string;
  /** {title}, page {page, number} */
  export function titleWithPage(of: { title: string; page: number }): string;
  /** {category} at {shop}: {count, plural, one {# product} other {# products}} to choose from. */
  export function categoryDescription(of: { category: string; shop: string; count: number }): string;
  /** Nothing here yet */
  export function categoryEmpty(): string;
  /** New things arrive often. Meanwhile, have a look at the others: */
  export function otherCategories(): string;
  /** All products */
  export function allProducts(): string;
  /** Results for “{query}” */
  export function resultsFor(of: { query: string }): string;
  /** Everything that {shop} sells, by words, brand, price and colour. */
  export function description(of: { shop: string }): string;
  /** What others like */
  export function popular(): string;
  /** Did you mean <link>{corrected}</link>? */
  export function didYouMean(of: { link: (text: import("react").ReactNode) => import("react").ReactNode; corrected: string }): import("react").ReactNode;
  /** Nothing is called “{query}”. This is what there is for <link>{corrected}</link>. */
  export function corrected(of: { query: string; link: (text: import("react").ReactNode) => import("react").ReactNode; corrected: string }): import("react").ReactNode;
  /** Nothing has all of these words. These have some. */
  export function fewerWords(): string;
  /** Nothing found */
  export function nothingFound(): string;
  /** The shop is still being set up. */
  export function settingUp(): string;
  /** Try fewer words, or other ones. Or have a look around: */
  export function tryOtherWords(): string;
  /** Search */
  export function breadcrumb(): string;
}

declare module "messages/ui" {
  /** Pages */
  export function pages(): string;
  /** Page {current, number} of {pages, number} */
  export function pageOf(of: { current: number; pages: number }): string;
  /** Page {page, number} */
  export function page(of: { page: number }): string;
  /** Previous page */
  export function previousPage(): string;
  /** Next page */
  export function nextPage(): string;
  /** Check your connection and try again. */
  export function checkConnection(): string;
  /** Load more */
  export function loadMore(): string;
  /** Share */
  export function share(): string;
  /** Copy the link */
  export function copyLink(): string;
  /** Send by e-mail */
  export function sendByEmail(): string;
  /** The link is copied. */
  export function linkCopied(): string;
  /** The link could not be copied. */
  export function linkNotCopied(): string;
  /** {stars, number} of 5: {label} */
  export function starsOfFive(of: { stars: number; label: string }): string;
  /** Rated {rating, number} out of 5 */
  export function rated(of: { rating: number }): string;
  /** Website */
  export function website(): string;
}

declare module "messages/wishlist" {
  /** Add {name} to the wishlist */
  export function addNamed(of: { name: string }): string;
  /** This list is in this browser alone. Sign in to have it everywhere, and to share it. */
  export function onlyInBrowser(): string;
  /** Whether this list is shared could not be found out. */
  export function sharingUnknown(): string;
  /** Only you see this list. By a link, friends can see it too. */
  export function onlyYou(): string;
  /** Share by link */
  export function shareByLink(): string;
  /** Whoever has this link sees the list, and your name: */
  export function whoeverHasLink(): string;
  /** My wishlist */
  export function mine(): string;
  /** Share this list */
  export function shareThis(): string;
  /** Stop sharing */
  export function stopSharing(): string;
  /** The link does not work any more. */
  export function linkStopped(): string;
  /** Your wishlist could not be reached. Please try again in a moment. */
  export function unreachable(): string;
  /** A wishlist holds at most {most, number} products. */
  export function full(of: { most: number }): string;
  /** What you would like to have from {shop}. */
  export function description(of: { shop: string }): string;
  /** Move all {count, number} to cart */
  export function moveAll(of: { count: number }): string;
  /** The wishlist needs JavaScript: your browser fills it in. */
  export function needsJavaScript(): string;
  /** Nothing wished for yet */
  export function nothingYet(): string;
  /** A tap on the heart of a product keeps it here. */
  export function tapHeart(): string;
  /** Your wishlist could not be loaded */
  export function notLoaded(): string;
  /** Let me know<hidden> when {name} is back</hidden> */
  export function letMeKnow(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string }): import("react").ReactNode;
  /** Move to cart<hidden>: {name}</hidden> */
  export function move(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string }): import("react").ReactNode;
  /** A wishlist */
  export function somebodys(): string;
  /** {name}’s wishlist */
  export function namedTitle(of: { name: string }): string;
  /** What somebody would like to have from {shop}. */
  export function somebodysDescription(of: { shop: string }): string;
  /** What {name} would like to have from {shop}. */
  export function namedDescription(of: { name: string; shop: string }): string;
  /** Nothing is wished for at the moment */
  export function nothingNow(): string;
  /** See it<hidden>: {name}</hidden> */
  export function seeIt(of: { hidden: (text: import("react").ReactNode) => import("react").ReactNode; name: string }): import("react").ReactNode;
}
