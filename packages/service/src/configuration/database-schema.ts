import * as z from "zod";
import { Secret } from "../encryption/secret";
import type { DatabaseConfiguration } from "./configuration";

const url = z.string().max(2000).refine(isDatabaseUrl, {
	error: "must be an address such as postgres://role:password@host/database",
});

function isDatabaseUrl(text: string): boolean {
	const url = URL.parse(text);
	if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) return false;
	return [url.host, url.username, url.password, url.pathname].every(isDecodable);
}

function isDecodable(text: string): boolean {
	try {
		decodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}

/** Schema of the section `database`. */
export const databaseSchema = z.strictObject({
	url,
	owner_url: url.optional(),
	backup_url: url.optional(),
	pool_size: z.int().min(2).max(1000).default(20),
});

type DatabaseFile = z.output<typeof databaseSchema>;

export const toDatabase = ({
	url,
	owner_url,
	backup_url,
	pool_size,
}: DatabaseFile): DatabaseConfiguration => ({
	url: new Secret(url),
	...(owner_url !== undefined && { ownerUrl: new Secret(owner_url) }),
	...(backup_url !== undefined && { backupUrl: new Secret(backup_url) }),
	poolSize: pool_size,
});

/** The section as its file would have it, with passwords masked. */
export const printDatabase = (
	{ url, ownerUrl, backupUrl, poolSize }: DatabaseConfiguration,
	mask: string,
): z.input<typeof databaseSchema> => ({
	url: maskPassword(url, mask),
	...(ownerUrl !== undefined && { owner_url: maskPassword(ownerUrl, mask) }),
	...(backupUrl !== undefined && { backup_url: maskPassword(backupUrl, mask) }),
	pool_size: poolSize,
});

function maskPassword(secret: Secret, mask: string): string {
	const url = new URL(secret.reveal());
	if (url.password !== "") url.password = mask;
	if (url.searchParams.has("password")) url.searchParams.set("password", mask);
	return url.href;
}

/** Lists what must not be shown of the section: its addresses, and the passwords in them. */
export const listDatabaseSecrets = ({ url, ownerUrl, backupUrl }: DatabaseConfiguration): readonly Secret[] =>
	[url, ownerUrl, backupUrl].flatMap((secret) =>
		secret === undefined
			? []
			: [secret, ...readPasswords(new URL(secret.reveal())).map((password) => new Secret(password))],
	);

const readPasswords = (url: URL): readonly string[] =>
	[decodeURIComponent(url.password), url.searchParams.get("password") ?? ""].filter(
		(password) => password !== "",
	);
