import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { startContainerCredentials } from "./aws-credentials/container-credentials";
import type { CredentialServer } from "./aws-credentials/credential-server";
import { startInstanceMetadata } from "./aws-credentials/instance-metadata";
import { startSecurityTokenService } from "./aws-credentials/security-token-service";

let server: CredentialServer;
afterEach(() => server?.close());

async function send(path: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
	const response = await fetch(server.origin + path, init);
	return { status: response.status, text: await response.text() };
}

describe("the instance metadata service", () => {
	const KEYS = "/latest/meta-data/iam/security-credentials/";
	const askToken = (ttl: string | undefined, headers: Record<string, string> = {}) =>
		send("/latest/api/token", {
			method: "PUT",
			headers: { ...headers, ...(ttl !== undefined && { "x-aws-ec2-metadata-token-ttl-seconds": ttl }) },
		});
	const ask = (path: string, token: string) => send(path, { headers: { "x-aws-ec2-metadata-token": token } });

	it("gives a role and its keys to those who have a token, while it holds", async () => {
		let now = Date.now();
		server = await startInstanceMetadata({ role: "desk", lifetimeMs: 60_000, now: () => now });
		const token = (await askToken("60")).text;
		expect(await ask(KEYS, token)).toEqual({ status: 200, text: "desk" });
		const keys = JSON.parse((await ask(`${KEYS}desk`, token)).text);
		expect(keys).toMatchObject({ Code: "Success", ...server.issued[0] });
		expect(Math.abs(Date.parse(keys.Expiration) - now - 60_000)).toBeLessThanOrEqual(1000);
		expect((await ask(`${KEYS}other`, token)).status).toBe(404);
		now += 60_000;
		expect((await ask(KEYS, token)).status).toBe(401);
	});

	it("refuses version 1, forwarded requests and tokens of no time", async () => {
		server = await startInstanceMetadata();
		expect((await send(KEYS)).status).toBe(401);
		expect((await ask(KEYS, "guessed")).status).toBe(401);
		for (const ttl of [undefined, "0", "21601", "x"]) expect((await askToken(ttl)).status).toBe(400);
		expect((await askToken("60", { "x-forwarded-for": "10.0.0.1" })).status).toBe(403);
		expect((await send("/latest/api/token")).status).toBe(405);
		expect(server.requests.map(({ rejection }) => rejection)).toEqual([
			401, 401, 400, 400, 400, 400, 403, 405,
		]);
		expect(server.issued).toEqual([]);
	});

	it("has no keys without a role", async () => {
		server = await startInstanceMetadata({ role: null });
		expect((await ask(KEYS, (await askToken("60")).text)).status).toBe(404);
	});
});

it("the container's endpoint gives keys for its token alone", async () => {
	server = await startContainerCredentials({ authorization: "token" });
	const headers = { authorization: "token" };
	const { status, text } = await send("/v1/credentials", { headers });
	expect([status, JSON.parse(text)]).toMatchObject([200, server.issued[0] ?? {}]);
	const rejected = [
		await send("/v1/credentials"),
		await send("/v1/credentials", { headers: { authorization: "other" } }),
		await send("/other", { headers }),
		await send("/v1/credentials", { method: "POST", headers }),
	];
	expect(rejected.map((answer) => answer.status)).toEqual([403, 403, 404, 405]);
	expect(server.issued.length).toBe(1);
});

it("STS gives keys for the trusted token and the role alone", async () => {
	const roleArn = "arn:aws:iam::123456789012:role/desk";
	server = await startSecurityTokenService({ roleArn, webIdentityToken: "trusted" });
	const form = {
		Action: "AssumeRoleWithWebIdentity",
		Version: "2011-06-15",
		RoleArn: roleArn,
		RoleSessionName: "session",
		WebIdentityToken: "trusted",
	};
	const post = (fields: Partial<typeof form>, headers: Record<string, string> = {}) =>
		send("/", { method: "POST", body: new URLSearchParams({ ...form, ...fields }), headers });
	const { status, text } = await post({});
	expect(status).toBe(200);
	expect(text).toContain(`<SecretAccessKey>${server.issued[0]?.SecretAccessKey}</SecretAccessKey>`);
	expect(text).toContain("<Arn>arn:aws:sts::123456789012:assumed-role/desk/session</Arn>");
	const rejected = [
		await post({ WebIdentityToken: "other" }),
		await post({ RoleArn: `${roleArn}2` }),
		await post({ RoleSessionName: "not a name" }),
		await post({ Action: "AssumeRole" }),
		await post({}, { authorization: "AWS4-HMAC-SHA256 …".slice(0, 16) }),
		await post({}, { "content-type": "application/json" }),
	];
	expect(rejected.map((answer) => [answer.status, /<Code>(\w+)/.exec(answer.text)?.[1]])).toEqual([
		[400, "InvalidIdentityToken"],
		[403, "AccessDenied"],
		[400, "ValidationError"],
		[400, "InvalidAction"],
		[403, "SignatureDoesNotMatch"],
		[400, "SerializationException"],
	]);
	expect(server.issued.length).toBe(1);
});

it.each(["instance", "container", "sts"])("runs as a program: %s", async (service) => {
	const main = fileURLToPath(new URL("./aws-credentials/main.ts", import.meta.url));
	const child = spawn(process.execPath, [main, "--service", service], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	try {
		const [line] = await once(child.stdout, "data");
		const [variable = "", url = ""] = Object.entries<string>(JSON.parse(String(line)))[0] ?? [];
		expect(variable).toMatch(/^AWS_/);
		const defaultReply = { container: 200, instance: 401, sts: 404 }[service];
		expect((await fetch(new URL(service === "instance" ? "/latest/meta-data/" : url, url))).status).toBe(
			defaultReply,
		);
	} finally {
		child.kill();
		await once(child, "exit");
	}
});
