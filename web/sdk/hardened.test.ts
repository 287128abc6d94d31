// Nothing of the emulator's permissiveness exists in a production server: not in the identity
// service alone, and not in the whole shop.
import { generateKeyPairSync } from "node:crypto";
import {
  GoogleAuthProvider,
  inMemoryPersistence,
  OAuthProvider,
  signInWithCredential,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  updateEmail,
} from "firebase/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refused } from "./assert";
import { client } from "./client";
import { inbox } from "./inbox";
import {
  type Answer,
  call,
  clientCall,
  customClaims,
  refusal,
  signed,
  unsigned,
} from "./project-admin";
import { google, hardened, type Server, shop } from "./server";
import { newEmail, newPhone, newUid, OTHER_PASSWORD, PASSWORD } from "./users";

type Json = Record<string, unknown>;

const servers = { "haat identity --demo": hardened, "haat serve --demo": shop };

for (const [name, open] of Object.entries(servers)) {
  describe.skipIf(google)(name, () => {
    let server: Server;
    beforeAll(async () => {
      server = await open();
    });
    afterAll(() => server?.stop());

    const post = (path: string, body: Json, key?: string) => clientCall(server, path, body, key);
    const auth = () => client(server, inMemoryPersistence);

    async function member() {
      const email = newEmail();
      const made = await post("v1/accounts:signUp", { email, password: PASSWORD });
      expect(made.status, JSON.stringify(made.body)).toBe(200);
      const { idToken, localId: uid } = made.body as { idToken: string; localId: string };
      return { email, idToken, uid };
    }
    const signIn = (email: string, password = PASSWORD) =>
      post("v1/accounts:signInWithPassword", { email, password });

    test("ID tokens that are not signed, or not by the server, are refused", async () => {
      const { idToken } = await member();
      expect((await post("v1/accounts:lookup", { idToken })).status).toBe(200);
      const [head = "", body = "", signature = ""] = idToken.split(".");
      const claims = decoded(body);
      const { kid, alg } = decoded(head);
      expect(alg).toBe("RS256");
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
      const changed = signature.startsWith("A") ? "B" : "A";
      const forged = [
        unsigned(claims),
        `${unsigned(claims)}${signature}`,
        signed({ private_key: pem, private_key_id: String(kid) }, claims),
        `${head}.${body}.`,
        `${head}.${body}.${changed}${signature.slice(1)}`,
        `${head}.${part({ ...claims, sub: "x", user_id: "x" })}.${signature}`,
      ];
      for (const idToken of forged) {
        for (const [path, more] of [
          ["v1/accounts:lookup", {}],
          ["v1/accounts:update", { displayName: "x" }],
          ["v1/accounts:delete", {}],
          ["v1/accounts:sendOobCode", { requestType: "VERIFY_EMAIL" }],
          ["v2/accounts/mfaEnrollment:start", { totpEnrollmentInfo: {} }],
        ] as [string, Json][]) {
          const answer = await post(path, { idToken, ...more });
          expect([answer.status, refusal(answer)], path).toEqual([400, "INVALID_ID_TOKEN"]);
        }
      }
      expect((await post("v1/accounts:lookup", { idToken })).status).toBe(200);
    });

    test("unsigned custom tokens are refused", async () => {
      const claims = customClaims("owner@haat.test", newUid());
      for (const token of [JSON.stringify({ uid: newUid() }), unsigned(claims)]) {
        await refused(
          signInWithCustomToken(auth(), token),
          "auth/invalid-custom-token",
          "auth/custom-token-mismatch",
        );
      }
    });

    test("a client's claim about a provider's answer is refused", async () => {
      const claims = { sub: newUid(), email: newEmail(), email_verified: true };
      const facebook = new OAuthProvider("facebook.com");
      for (const idToken of [JSON.stringify(claims), unsigned(claims)]) {
        for (const credential of [
          GoogleAuthProvider.credential(idToken),
          facebook.credential({ idToken }),
        ]) {
          await refused(signInWithCredential(auth(), credential), "auth/invalid-credential");
        }
      }
    });

    test("a provider is not linked by a client's claim", async () => {
      const { idToken, uid } = await member();
      const linkProviderUserInfo = { providerId: "google.com", rawId: newUid() };
      const linked = await post("v1/accounts:update", { idToken, linkProviderUserInfo });
      // Refused or ignored, but never applied.
      const found = await post("v1/accounts:lookup", { idToken });
      expect(JSON.stringify(found.body), JSON.stringify(linked.body)).toContain(uid);
      expect(JSON.stringify(found.body)).not.toContain("google.com");
    });

    test("“Bearer owner” has no rights", async () => {
      const { uid } = await member();
      const calls: [path: string, body?: Json][] = [
        ["/accounts", { email: newEmail(), password: PASSWORD }],
        ["/accounts:lookup", { localId: [uid] }],
        ["/accounts:update", { localId: uid, disableUser: true }],
        ["/accounts:delete", { localId: uid }],
        ["/accounts:batchGet?maxResults=10"],
        ["/accounts:batchCreate", { users: [{ localId: newUid() }] }],
        ["/accounts:batchDelete", { localIds: [uid], force: true }],
        ["/accounts:query", {}],
        ["/accounts:sendOobCode", { requestType: "PASSWORD_RESET", returnOobLink: true }],
        [":createSessionCookie", { idToken: "x", validDuration: "300" }],
      ];
      for (const [path, body] of calls) {
        expect((await call(server, "owner", path, body)).status, path).toBe(401);
        // Without a bearer token the API key is missing.
        expect((await call(server, null, path, body)).status, path).toBe(403);
      }
    });

    test("another API key, or none, is refused", async () => {
      const body = { email: newEmail(), password: PASSWORD };
      const paths = ["v1/accounts:signUp", "v1/accounts:signInWithPassword", "v1/accounts:lookup"];
      for (const path of paths) {
        const other = await post(path, body, "any-key");
        expect([other.status, refusal(other)], path).toEqual([
          400,
          "API key not valid. Please pass a valid API key.",
        ]);
        expect((await post(path, body, "")).status, path).toBe(403);
      }
      const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x" });
      const url = `${server.url}/securetoken.googleapis.com/v1/token?key=any-key`;
      expect((await fetch(url, { method: "POST", body: form })).status).toBe(400);
    });

    test("the paths of an emulator do not exist", async () => {
      const { email } = await member();
      const projects = `/emulator/v1/projects/${server.projectId}`;
      const calls: [method: string, path: string, body?: Json][] = [
        ["GET", `${projects}/oobCodes`],
        ["GET", `${projects}/verificationCodes`],
        ["GET", `${projects}/config`],
        ["PATCH", `${projects}/config`, { signIn: { allowDuplicateEmails: true } }],
        ["DELETE", `${projects}/accounts`],
        ["DELETE", projects],
        ["POST", "/emulator/v1/clock:advance", { milliseconds: 1 }],
        ["GET", "/emulator/action?mode=verifyEmail&oobCode=x&apiKey=any"],
        ["GET", "/emulator/auth/handler?apiKey=any&authType=signInViaPopup&providerId=google.com"],
        ["GET", "/emulator/auth/iframe?apiKey=any"],
        ["GET", "/emulator/openapi.json"],
      ];
      for (const [method, path, body] of calls) {
        const init: RequestInit = { method, headers: { authorization: "Bearer owner" } };
        if (body !== undefined) {
          init.headers = { ...init.headers, "content-type": "application/json" };
          init.body = JSON.stringify(body);
        }
        const answer = await fetch(server.url + path, init);
        expect([404, 405], `${method} ${path}: ${answer.status}`).toContain(answer.status);
      }
      const front = await (await fetch(`${server.url}/`)).text();
      expect(front).not.toContain("authEmulator");
      expect((await signIn(email)).status).toBe(200);
    });

    test("an address is not changed without an e-mail", async () => {
      const { email, idToken } = await member();
      const { user } = await signInWithEmailAndPassword(auth(), email, PASSWORD);
      await refused(updateEmail(user, newEmail()), "auth/operation-not-allowed");
      const raw = await post("v1/accounts:update", { idToken, email: newEmail() });
      expect(refusal(raw)).toMatch(/^OPERATION_NOT_ALLOWED/);
      expect((await signIn(email)).status).toBe(200);
    });

    test("nothing reveals who has an account", async () => {
      const [{ email }, unknown] = [await member(), newEmail()];
      const alike = async (ask: (email: string) => Promise<Answer>) => {
        const [one, other] = [await ask(email), await ask(unknown)];
        const blank = (answer: Answer) =>
          JSON.stringify({ ...answer, body: { ...answer.body, sessionId: "" } })
            .replaceAll(email, "")
            .replaceAll(unknown, "");
        expect(blank(one)).toBe(blank(other));
        return one;
      };
      const wrong = await alike((email) => signIn(email, OTHER_PASSWORD));
      expect(refusal(wrong)).toBe("INVALID_LOGIN_CREDENTIALS");
      const reset = await alike((email) =>
        post("v1/accounts:sendOobCode", { requestType: "PASSWORD_RESET", email }),
      );
      expect(reset.status).toBe(200);
      await alike((identifier) =>
        post("v1/accounts:createAuthUri", { identifier, continueUri: server.url }),
      );
    });

    test("attempts are limited", async () => {
      const { email } = await member();
      const answers: string[] = [];
      for (let guess = 0; guess < 12; guess++) {
        answers.push(
          refusal(await signIn(email, `${OTHER_PASSWORD}${guess}`)).split(" : ")[0] ?? "",
        );
      }
      expect(answers.slice(0, 10)).toEqual(Array(10).fill("INVALID_LOGIN_CREDENTIALS"));
      expect(answers.slice(10)).toEqual(Array(2).fill("TOO_MANY_ATTEMPTS_TRY_LATER"));
      expect(refusal(await signIn(email))).toMatch(/^TOO_MANY_ATTEMPTS_TRY_LATER/);
    });

    test("no answer contains a code or a password", async () => {
      const { email, idToken } = await member();
      const sent = await post("v1/accounts:sendOobCode", {
        requestType: "PASSWORD_RESET",
        email,
        returnOobLink: true,
      });
      // A client must not get the link: refused, or sent without it.
      if (sent.status === 200) expect(Object.keys(sent.body).sort()).toEqual(["email", "kind"]);
      else expect(sent.status).toBeLessThan(500);

      const phoneNumber = newPhone();
      const text = await post("v1/accounts:sendVerificationCode", {
        phoneNumber,
        recaptchaToken: "x",
      });
      expect([text.status, Object.keys(text.body)]).toEqual([200, ["sessionInfo"]]);
      const code = await inbox(server).text(phoneNumber);
      expect(String(text.body.sessionInfo)).not.toContain(code);

      const found = await post("v1/accounts:lookup", { idToken });
      const [user] = found.body.users as { passwordHash?: string; salt?: string }[];
      expect(user?.passwordHash).toBe("UkVEQUNURUQ=");
      expect(user?.salt).toBeUndefined();
      expect(JSON.stringify(found.body)).not.toContain(PASSWORD);
    });

    test("a weak password is refused", async () => {
      const attempt = await post("v1/accounts:signUp", { email: newEmail(), password: "123456" });
      expect(refusal(attempt)).toMatch(/^PASSWORD_DOES_NOT_MEET_REQUIREMENTS/);
    });
  });
}

const decoded = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString()) as Json;
const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString("base64url");
