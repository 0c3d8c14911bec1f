import { expect, test } from "vitest";
import { createSignInAttempts } from "./sign-in-attempts";

test("derives the same values for the browser that began, and others for each attempt, purpose and name", () => {
	const attempts = createSignInAttempts();
	const { secret, derive } = attempts.start("passkey", 1000);
	expect(attempts.find("passkey", secret)?.derive("challenge")).toBe(derive("challenge"));
	const values = [derive("challenge"), derive("nonce"), attempts.start("passkey", 1000).derive("challenge")];
	expect(new Set(values).size).toBe(3);
	for (const value of values) expect(value).toMatch(/^[\w-]{43}$/);
	expect(secret).not.toContain(derive("challenge"));
});

test("is good for one purpose, once, for a while, in one process", () => {
	let time = 1_700_000_000_000;
	const attempts = createSignInAttempts(() => time);
	const { secret } = attempts.start("passkey", 1000);
	expect(attempts.find("issuer", secret)).toBeUndefined();
	expect(attempts.complete("issuer", secret)).toBe(false);
	expect(createSignInAttempts(() => time).find("passkey", secret)).toBeUndefined();
	expect([attempts.complete("passkey", secret), attempts.complete("passkey", secret)]).toEqual([true, false]);
	expect(attempts.find("passkey", secret)).toBeUndefined();
	const late = attempts.start("passkey", 1000);
	time += 999;
	expect(attempts.find("passkey", late.secret)).toBeDefined();
	time += 1;
	expect(attempts.find("passkey", late.secret)).toBeUndefined();
});

test.each(["", "x", "a.b.c"])("takes no secret of another form: %j", (secret) => {
	expect(createSignInAttempts().find("passkey", secret)).toBeUndefined();
});

test("takes no secret whose time or signature was changed", () => {
	const attempts = createSignInAttempts();
	const { secret } = attempts.start("passkey", 1000);
	const [random, expiresAt, signature = ""] = secret.split(".");
	for (const changed of [
		`${random}.${Number(expiresAt) + 1}.${signature}`,
		`${random}.${expiresAt}.${signature.slice(1)}A`,
	])
		expect(attempts.find("passkey", changed)).toBeUndefined();
});
