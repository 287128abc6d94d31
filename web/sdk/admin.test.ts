// The official admin SDK against an emulator: it needs only FIREBASE_AUTH_EMULATOR_HOST.

import {
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  reload,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signInWithEmailLink,
} from "firebase/auth";
import { deleteApp, initializeApp } from "firebase-admin/app";
import { type Auth as Admin, getAuth, type UserRecord } from "firebase-admin/auth";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { refused } from "./assert";
import { codeOf, tokenAgesBy } from "./flows/steps";
import { bcrypt, scrypt } from "./hashes";
import { type NodeEnvironment, nodeEnvironment } from "./node-environment";
import { emulator, google, type Server } from "./server";
import { newEmail, newPhone, newUid, OTHER_PASSWORD, PASSWORD } from "./users";

let server: Server;
let env: NodeEnvironment;
let admin: Admin;
let close: () => Promise<void>;

beforeAll(async () => {
  server = await emulator();
  env = await nodeEnvironment(server);
  process.env.FIREBASE_AUTH_EMULATOR_HOST = new URL(server.url).host;
  const app = initializeApp({ projectId: server.projectId });
  close = () => deleteApp(app);
  admin = getAuth(app);
  const accounts = `/emulator/v1/projects/${server.projectId}/accounts`;
  await fetch(server.url + accounts, { method: "DELETE" });
});
afterEach(() => env.close());
afterAll(async () => {
  await close?.();
  await server?.stop();
});

const signIn = async (email: string, password = PASSWORD) =>
  (await signInWithEmailAndPassword(env.client(), email, password)).user;

const makeUser = async () => {
  const email = newEmail();
  return { email, user: await admin.createUser({ email, password: PASSWORD }) };
};

describe("users", () => {
  test("are created with every property, and found by each", async () => {
    const [uid, email, phoneNumber] = [newUid(), newEmail(), newPhone()];
    const made = await admin.createUser({
      uid,
      email,
      emailVerified: true,
      phoneNumber,
      password: PASSWORD,
      displayName: "Ann",
      photoURL: "https://example.com/ann.png",
      disabled: false,
      multiFactor: { enrolledFactors: [{ factorId: "phone", phoneNumber, displayName: "Phone" }] },
    });
    expect(made.toJSON()).toMatchObject({
      uid,
      email,
      emailVerified: true,
      phoneNumber,
      displayName: "Ann",
      photoURL: "https://example.com/ann.png",
      disabled: false,
    });
    expect(providers(made)).toEqual(["password", "phone"]);
    const [factor] = made.multiFactor?.enrolledFactors ?? [];
    expect(factor).toMatchObject({ factorId: "phone", phoneNumber, displayName: "Phone" });
    for (const found of [
      await admin.getUser(uid),
      await admin.getUserByEmail(email),
      await admin.getUserByPhoneNumber(phoneNumber),
      await admin.getUserByProviderUid("phone", phoneNumber),
      await admin.getUserByProviderUid("email", email),
    ]) {
      expect(found.toJSON()).toEqual(made.toJSON());
    }
    expect(Math.abs(Date.parse(made.metadata.creationTime) - Date.now())).toBeLessThan(60_000);
  });

  test("without a password, or without any property, are users too", async () => {
    const bare = await admin.createUser({});
    expect(bare.uid).not.toBe("");
    expect([bare.email, bare.providerData]).toEqual([undefined, []]);
  });

  test("that cannot be created say why", async () => {
    const [{ email, user }, phoneNumber] = [await makeUser(), newPhone()];
    await admin.updateUser(user.uid, { phoneNumber });
    await refused(admin.createUser({ email }), "auth/email-already-exists");
    await refused(admin.createUser({ phoneNumber }), "auth/phone-number-already-exists");
    await refused(admin.createUser({ uid: user.uid }), "auth/uid-already-exists");
    await refused(admin.createUser({ email: "ann" }), "auth/invalid-email");
    await refused(admin.createUser({ password: "12345" }), "auth/invalid-password");
    await refused(admin.createUser({ phoneNumber: "123" }), "auth/invalid-phone-number");
  });

  test("that do not exist are not found", async () => {
    await refused(admin.getUser(newUid()), "auth/user-not-found");
    await refused(admin.getUserByEmail(newEmail()), "auth/user-not-found");
    await refused(admin.getUserByPhoneNumber(newPhone()), "auth/user-not-found");
    await refused(admin.getUserByProviderUid("google.com", newUid()), "auth/user-not-found");
    await refused(admin.updateUser(newUid(), { displayName: "x" }), "auth/user-not-found");
    await refused(admin.deleteUser(newUid()), "auth/user-not-found");
  });

  test("are found many at a time, and those not found are named", async () => {
    const [one, two, nobody] = [await makeUser(), await makeUser(), { uid: newUid() }];
    const found = await admin.getUsers([{ uid: one.user.uid }, { email: two.email }, nobody]);
    expect(found.users.map(({ uid }) => uid).sort()).toEqual([one.user.uid, two.user.uid].sort());
    expect(found.notFound).toEqual([nobody]);
  });

  test("are listed page by page, each once", async () => {
    for (let more = 0; more < 7; more++) await admin.createUser({ uid: newUid() });
    const whole = await admin.listUsers(1000);
    expect(whole.pageToken).toBeFalsy();
    expect(whole.users.length).toBeGreaterThanOrEqual(7);
    const listed: string[] = [];
    for (let pageToken: string | undefined, pages = 0; pages === 0 || pageToken; pages++) {
      const page = await admin.listUsers(3, pageToken || undefined);
      expect(page.users.length).toBeLessThanOrEqual(3);
      listed.push(...page.users.map(({ uid }) => uid));
      pageToken = page.pageToken;
    }
    expect(listed).toEqual(whole.users.map(({ uid }) => uid));
    expect(new Set(listed).size).toBe(listed.length);
  });

  test("can be changed in every property", async () => {
    const { user } = await makeUser();
    const [email, phoneNumber, sub] = [newEmail(), newPhone(), newUid()];
    const changed = await admin.updateUser(user.uid, {
      email,
      emailVerified: true,
      password: OTHER_PASSWORD,
      phoneNumber,
      displayName: "Ann",
      photoURL: "https://example.com/ann.png",
      providerToLink: { providerId: "google.com", uid: sub, email, displayName: "Ann of Google" },
      multiFactor: {
        enrolledFactors: [
          { uid: "first", factorId: "phone", phoneNumber, displayName: "One" },
          { uid: "second", factorId: "phone", phoneNumber: newPhone() },
        ],
      },
    });
    expect(changed).toMatchObject({ email, emailVerified: true, phoneNumber, displayName: "Ann" });
    expect(changed.photoURL).toBe("https://example.com/ann.png");
    expect(providers(changed)).toEqual(["google.com", "password", "phone"]);
    expect(changed.multiFactor?.enrolledFactors.map(({ uid }) => uid)).toEqual(["first", "second"]);
    expect((await admin.getUserByProviderUid("google.com", sub)).uid).toBe(user.uid);
    await refused(signIn(email, OTHER_PASSWORD), "auth/multi-factor-auth-required");

    const cleared = await admin.updateUser(user.uid, {
      phoneNumber: null,
      displayName: null,
      photoURL: null,
      multiFactor: { enrolledFactors: null },
      providersToUnlink: ["google.com"],
    });
    expect([cleared.phoneNumber, cleared.displayName, cleared.photoURL]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(cleared.multiFactor?.enrolledFactors ?? []).toEqual([]);
    expect(providers(cleared)).toEqual(["password"]);
    expect((await signIn(email, OTHER_PASSWORD)).uid).toBe(user.uid);
  });

  test("with unique properties keep them", async () => {
    const [one, two] = [await makeUser(), await makeUser()];
    const [phoneNumber, sub] = [newPhone(), newUid()];
    const providerToLink = { providerId: "google.com", uid: sub };
    await admin.updateUser(one.user.uid, { phoneNumber, providerToLink });
    const change = (what: object) => admin.updateUser(two.user.uid, what);
    await refused(change({ email: one.email }), "auth/email-already-exists");
    await refused(change({ phoneNumber }), "auth/phone-number-already-exists");
  });

  test("who are disabled cannot sign in, until they are enabled", async () => {
    const { email, user } = await makeUser();
    const there = await signIn(email);
    await admin.updateUser(user.uid, { disabled: true });
    await refused(signIn(email), "auth/user-disabled");
    await refused(reload(there), "auth/user-disabled");
    await admin.updateUser(user.uid, { disabled: false });
    expect((await signIn(email)).uid).toBe(user.uid);
  });

  test("are deleted, one or many at a time", async () => {
    const people = [await makeUser(), await makeUser(), await makeUser()];
    const [one, ...others] = people.map(({ user }) => user.uid);
    await admin.deleteUser(one ?? "");
    await refused(admin.getUser(one ?? ""), "auth/user-not-found");
    const gone = await admin.deleteUsers([...others, newUid()]);
    // Deleting an unknown user succeeds as well.
    expect([gone.successCount, gone.failureCount, gone.errors]).toEqual([3, 0, []]);
    for (const uid of others) await refused(admin.getUser(uid), "auth/user-not-found");
  });
});

describe("an emulator", () => {
  test.skipIf(google)("is reset by one call (Google's has none)", async () => {
    const { email } = await makeUser();
    await admin.generatePasswordResetLink(email);
    const project = `${server.url}/emulator/v1/projects/${server.projectId}`;
    const codes = async () => await (await fetch(`${project}/oobCodes`)).json();
    expect((await codes()).oobCodes).not.toEqual([]);
    expect((await fetch(project, { method: "DELETE" })).status).toBe(200);
    expect((await codes()).oobCodes).toEqual([]);
    expect((await admin.listUsers()).users).toEqual([]);
  });
});

describe("the project's configuration", () => {
  test("is changed, and applied", async () => {
    const manager = admin.projectConfigManager();
    const privacy = (on: boolean) => ({ emailPrivacyConfig: { enableImprovedEmailPrivacy: on } });
    try {
      const changed = await manager.updateProjectConfig(privacy(true));
      expect(changed.emailPrivacyConfig).toEqual({ enableImprovedEmailPrivacy: true });
      await refused(signIn(newEmail()), "auth/invalid-credential");
    } finally {
      await manager.updateProjectConfig(privacy(false));
    }
    const config = await manager.getProjectConfig();
    expect(config.emailPrivacyConfig).toEqual({ enableImprovedEmailPrivacy: false });
    await refused(signIn(newEmail()), "auth/user-not-found");
  });
});

describe("claims", () => {
  test("come with the next token, and go again", async () => {
    const { email, user } = await makeUser();
    const there = await signIn(email);
    await admin.setCustomUserClaims(user.uid, { role: "clerk", level: 3 });
    expect((await admin.getUser(user.uid)).customClaims).toEqual({ role: "clerk", level: 3 });
    expect((await there.getIdTokenResult()).claims.role).toBeUndefined();
    await tokenAgesBy(there, 1);
    await there.getIdToken(true);
    const { claims } = await there.getIdTokenResult();
    expect([claims.role, claims.level]).toEqual(["clerk", 3]);
    await admin.setCustomUserClaims(user.uid, null);
    expect(
      (await signIn(email).then((user) => user.getIdTokenResult())).claims.role,
    ).toBeUndefined();
  });

  test("have limits", async () => {
    const { uid } = await admin.createUser({});
    await refused(admin.setCustomUserClaims(uid, { sub: "x" }), "auth/reserved-claim");
    const large = { text: "x".repeat(1000) };
    await refused(admin.setCustomUserClaims(uid, large), "auth/claims-too-large");
    await refused(admin.setCustomUserClaims(newUid(), { role: "x" }), "auth/user-not-found");
  });
});

describe("import", () => {
  const cannot = "Google's emulator cannot check real hashes";
  const passwords = [
    {
      ...scrypt,
      hash: {
        algorithm: "SCRYPT" as const,
        key: Buffer.from(scrypt.algorithm.signerKey, "base64"),
        saltSeparator: Buffer.from(scrypt.algorithm.saltSeparator, "base64"),
        rounds: scrypt.algorithm.rounds,
        memoryCost: scrypt.algorithm.memoryCost,
      },
    },
    { ...bcrypt, salt: undefined, hash: { algorithm: "BCRYPT" as const } },
  ];
  for (const { name, password, passwordHash, salt, hash } of passwords) {
    test.skipIf(google)(`${name}: the old password works (${cannot})`, async () => {
      const [uid, email] = [newUid(), newEmail()];
      const record = { uid, email, passwordHash: Buffer.from(passwordHash, "base64") };
      if (salt !== undefined) Object.assign(record, { passwordSalt: Buffer.from(salt, "base64") });
      const done = await admin.importUsers([record], { hash });
      expect([done.successCount, done.failureCount]).toEqual([1, 0]);
      await refused(signIn(email, "Not-this1!"), "auth/wrong-password");
      // The first sign-in rehashes the password, the second checks the new hash.
      expect((await signIn(email, password)).uid).toBe(uid);
      expect((await signIn(email, password)).uid).toBe(uid);
      await refused(signIn(email, "Not-this1!"), "auth/wrong-password");
    });
  }

  test("of users with all properties", async () => {
    const [uid, email, sub] = [newUid(), newEmail(), newUid()];
    const done = await admin.importUsers([
      {
        uid,
        email,
        emailVerified: true,
        displayName: "Ann",
        customClaims: { role: "clerk" },
        providerData: [{ providerId: "google.com", uid: sub, email, displayName: "Ann" }],
        metadata: { creationTime: "Fri, 02 Jan 2015 00:00:00 GMT" },
      },
    ]);
    expect([done.successCount, done.errors]).toEqual([1, []]);
    const user = await admin.getUserByProviderUid("google.com", sub);
    expect([user.uid, user.email, user.emailVerified]).toEqual([uid, email, true]);
    expect(user.customClaims).toEqual({ role: "clerk" });
    expect(user.metadata.creationTime).toBe("Fri, 02 Jan 2015 00:00:00 GMT");
  });

  test("of an invalid record fails for that one alone", async () => {
    const done = await admin.importUsers([{ uid: newUid() }, { uid: newUid(), email: "ann" }]);
    expect([done.successCount, done.failureCount]).toEqual([1, 1]);
    expect(done.errors.map(({ index, error }) => [index, error.code])).toEqual([
      [1, "auth/invalid-email"],
    ]);
  });
});

describe("sessions", () => {
  test("a token is verified, until it is revoked", async () => {
    const { email, user } = await makeUser();
    const there = await signIn(email);
    const token = await there.getIdToken();
    expect((await admin.verifyIdToken(token, true)).uid).toBe(user.uid);
    await tokenAgesBy(there, 1);
    await admin.revokeRefreshTokens(user.uid);
    await refused(admin.verifyIdToken(token, true), "auth/id-token-revoked");
    const fresh = await (await signIn(email)).getIdToken();
    expect((await admin.verifyIdToken(fresh, true)).uid).toBe(user.uid);
    await admin.updateUser(user.uid, { disabled: true });
    await refused(admin.verifyIdToken(fresh, true), "auth/user-disabled");
    await refused(admin.verifyIdToken("no token"), "auth/argument-error");
  });

  test("a cookie is verified, until it is revoked", async () => {
    const { email, user } = await makeUser();
    const there = await signIn(email);
    const cookie = await admin.createSessionCookie(await there.getIdToken(), {
      expiresIn: 300_000,
    });
    const claims = await admin.verifySessionCookie(cookie, true);
    expect([claims.uid, claims.email]).toEqual([user.uid, email]);
    expect(claims.iss).toBe(`https://session.firebase.google.com/${server.projectId}`);
    expect(claims.exp - claims.iat).toBe(300);
    await tokenAgesBy(there, 1);
    await admin.revokeRefreshTokens(user.uid);
    await refused(admin.verifySessionCookie(cookie, true), "auth/session-cookie-revoked");
  });

  test("a cookie needs a valid ID token", async () => {
    const token = await (await signIn((await makeUser()).email)).getIdToken();
    const make = (token: string, expiresIn: number) =>
      admin.createSessionCookie(token, { expiresIn });
    await refused(make(token, 299_999), "auth/invalid-session-cookie-duration");
    await refused(make(token, 15 * 86_400_000), "auth/invalid-session-cookie-duration");
    await refused(make("never.made.this", 300_000), "auth/invalid-id-token");
  });

  test("a custom token signs in", async () => {
    const uid = newUid();
    const token = await admin.createCustomToken(uid, { role: "clerk" });
    const { user } = await signInWithCustomToken(env.client(), token);
    expect(user.uid).toBe(uid);
    expect((await user.getIdTokenResult()).claims.role).toBe("clerk");
    expect((await admin.verifyIdToken(await user.getIdToken())).role).toBe("clerk");
  });
});

describe("links", () => {
  const settings = { url: "http://localhost/next", handleCodeInApp: true };

  test("to verify an address", async () => {
    const { email, user } = await makeUser();
    const link = await admin.generateEmailVerificationLink(email, settings);
    expect(new URL(link).searchParams.get("continueUrl")).toBe(settings.url);
    await applyActionCode(env.client(), codeOf(link));
    expect((await admin.getUser(user.uid)).emailVerified).toBe(true);
  });

  test("to reset a password", async () => {
    const { email } = await makeUser();
    const link = await admin.generatePasswordResetLink(email, settings);
    await confirmPasswordReset(env.client(), codeOf(link), OTHER_PASSWORD);
    await signIn(email, OTHER_PASSWORD);
  });

  test("to sign in", async () => {
    const { email, user } = await makeUser();
    const link = await admin.generateSignInWithEmailLink(email, settings);
    const signedIn = await signInWithEmailLink(env.client(), email, link);
    expect(signedIn.user.uid).toBe(user.uid);
  });

  test("to change an address", async () => {
    const { email, user } = await makeUser();
    const wanted = newEmail("new");
    const link = await admin.generateVerifyAndChangeEmailLink(email, wanted, settings);
    const auth = env.client();
    const { data } = await checkActionCode(auth, codeOf(link));
    expect([data.email, data.previousEmail]).toEqual([wanted, email]);
    await applyActionCode(auth, codeOf(link));
    const after = await admin.getUser(user.uid);
    expect([after.email, after.emailVerified]).toEqual([wanted, true]);
  });

  test("for unknown users are not made", async () => {
    const nobody = newEmail();
    await refused(
      admin.generatePasswordResetLink(nobody),
      "auth/email-not-found",
      "auth/user-not-found",
    );
    await refused(
      admin.generateEmailVerificationLink(nobody),
      "auth/email-not-found",
      "auth/user-not-found",
    );
    const { email } = await makeUser();
    const bad = { url: "no address" };
    await refused(admin.generatePasswordResetLink(email, bad), "auth/invalid-continue-uri");
  });
});

function providers(user: UserRecord): string[] {
  return user.providerData.map(({ providerId }) => providerId).sort();
}
