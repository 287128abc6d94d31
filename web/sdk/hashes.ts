// Password hashes of other services. Node has no bcrypt and no Argon2, so these were made once with
// other programs; the first is the example in the README of Google's firebase/scrypt.

export interface Import {
  name: string;
  password: string;
  /** The parameters, as batchCreate takes them. */
  algorithm: Record<string, unknown>;
  passwordHash: string;
  salt?: string;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

export const scrypt = {
  name: "SCRYPT",
  password: "user1password",
  algorithm: {
    hashAlgorithm: "SCRYPT",
    signerKey:
      "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
    saltSeparator: "Bw==",
    rounds: 8,
    memoryCost: 14,
  },
  passwordHash:
    "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
  salt: "42xEC+ixf3L2lw==",
} satisfies Import;

export const bcrypt = {
  name: "BCRYPT",
  password: "Old-pass1!",
  algorithm: { hashAlgorithm: "BCRYPT" },
  passwordHash: base64("$2a$05$a0j2bETjZgzgcVPjJVLqb.m1o3dWALXIeWBHMU63qGqzPc/pzbPFi"),
} satisfies Import;

export const argon2 = {
  name: "ARGON2",
  password: "Old-pass1!",
  algorithm: {
    hashAlgorithm: "ARGON2",
    argon2Parameters: {
      hashLengthBytes: 32,
      hashType: "ARGON2_ID",
      parallelism: 1,
      iterations: 2,
      memoryCostKib: 1024,
      version: "VERSION_13",
    },
  },
  passwordHash: "VNpnWcBz4rGcPdJuONRTHSko+3npllhcqTFnumiVXMs=",
  salt: base64("sixteen-byte-slt"),
} satisfies Import;
