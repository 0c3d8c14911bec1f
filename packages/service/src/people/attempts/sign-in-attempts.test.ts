import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openMemoryDatabase } from "../../http/test-support/memory-database";
import { type DeploymentTables, deploymentMigrations } from "../../store/deployment-tables";
import { createUsedTokenRepository } from "../../store/repositories/people/used-token-repository";
import { createSignInAttempts } from "./sign-in-attempts";

const used = createUsedTokenRepository(openMemoryDatabase<DeploymentTables>(deploymentMigrations));
const create = (now?: () => number, key: Uint8Array = randomBytes(32)) =>
	createSignInAttempts(key, used, now);

test("derives the same values for the browser that began, and others for each attempt, purpose and name", () => {
	const attempts = create();
	const { secret, derive } = attempts.start("passkey", 1000);
	expect(attempts.find("passkey", secret)?.derive("challenge")).toBe(derive("challenge"));
	const values = [derive("challenge"), derive("nonce"), attempts.start("passkey", 1000).derive("challenge")];
	expect(new Set(values).size).toBe(3);
	for (const value of values) expect(value).toMatch(/^[\w-]{43}$/);
	expect(secret).not.toContain(derive("challenge"));
});

test("is good for one purpose, once, for a while, on all instances of its deployment", async () => {
	let time = 1_700_000_000_000;
	const key = randomBytes(32);
	const [attempts, others] = [create(() => time, key), create(() => time, key)];
	const { secret } = attempts.start("passkey", 1000);
	expect(attempts.find("issuer", secret)).toBeUndefined();
	expect(await attempts.complete("issuer", secret)).toBe(false);
	expect(create(() => time).find("passkey", secret)).toBeUndefined();
	expect(await others.complete("passkey", secret)).toBe(true);
	expect(await attempts.complete("passkey", secret)).toBe(false);
	const late = attempts.start("passkey", 1000);
	time += 999;
	expect(attempts.find("passkey", late.secret)).toBeDefined();
	time += 1;
	expect(attempts.find("passkey", late.secret)).toBeUndefined();
});

test.each(["", "x", "a.b.c"])("takes no secret of another form: %j", (secret) => {
	expect(create().find("passkey", secret)).toBeUndefined();
});

test("takes no secret whose time or signature was changed", () => {
	const attempts = create();
	const { secret } = attempts.start("passkey", 1000);
	const [random, expiresAt, signature = ""] = secret.split(".");
	for (const changed of [
		`${random}.${Number(expiresAt) + 1}.${signature}`,
		`${random}.${expiresAt}.${signature.slice(1)}A`,
	])
		expect(attempts.find("passkey", changed)).toBeUndefined();
});
