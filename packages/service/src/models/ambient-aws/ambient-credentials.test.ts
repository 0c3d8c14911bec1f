import http, { type IncomingMessage, type RequestOptions } from "node:http";
import type { CredentialServer } from "@stemma/simulators/aws-credentials";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AmbientCredentials, createAmbientCredentials } from "./ambient-credentials";
import { type AwsEnvironment, createAwsEnvironment, ROLE_ARN } from "./test-support/aws-environment";

const MINUTE_MS = 60_000;
const STATIC = { AWS_ACCESS_KEY_ID: "AKIAENVIRONMENT0", AWS_SECRET_ACCESS_KEY: "environment-secret" };
const toIni = (name: string): string =>
	`[${name}]\naws_access_key_id = AKIA${name.toUpperCase()}\naws_secret_access_key = ${name}-secret\n`;

let machine: AwsEnvironment;
let now: number;
beforeEach(() => {
	machine = createAwsEnvironment();
	now = Date.now();
});
afterEach(() => machine.close());

const clock = (): number => now;
const create = (): AmbientCredentials => createAmbientCredentials({ region: "eu-central-1", now: clock });

/** What it gave out, as it is asked for. */
const issuedBy = ({ issued }: CredentialServer) =>
	issued.map(({ AccessKeyId, SecretAccessKey, Token }) => ({
		accessKeyId: AccessKeyId,
		secretAccessKey: SecretAccessKey,
		sessionToken: Token,
	}));

describe("where credentials are found", () => {
	it("in the environment, temporary or not", async () => {
		machine.set(STATIC);
		expect(await create().get()).toEqual({
			accessKeyId: "AKIAENVIRONMENT0",
			secretAccessKey: "environment-secret",
		});
		machine.set({ AWS_SESSION_TOKEN: "environment-token" });
		expect(await create().get()).toMatchObject({ sessionToken: "environment-token" });
	});

	it("in the files of the user", async () => {
		machine.write(".aws/credentials", toIni("default") + toIni("other"));
		expect(await create().get()).toEqual({
			accessKeyId: "AKIADEFAULT",
			secretAccessKey: "default-secret",
		});
		machine.set({ AWS_PROFILE: "other" });
		expect(await create().get()).toMatchObject({ accessKeyId: "AKIAOTHER" });
	});

	it("by a program that a profile names", async () => {
		const keys = { Version: 1, AccessKeyId: "AKIAPROGRAM00000", SecretAccessKey: "program-secret" };
		const file = machine.write("keys.json", JSON.stringify(keys));
		machine.write(".aws/config", `[default]\ncredential_process = cat ${file}\n`);
		expect(await create().get()).toMatchObject({ accessKeyId: "AKIAPROGRAM00000" });
	});

	it("for a web identity, from STS", async () => {
		const sts = await machine.startSts();
		expect([await create().get()]).toEqual(issuedBy(sts));
		expect(new URLSearchParams(sts.requests[0]?.text).get("RoleArn")).toBe(ROLE_ARN);
	});

	it("at a container's endpoint, with the token that is in its file by then", async () => {
		const container = await machine.startContainer({ lifetimeMs: 20 * MINUTE_MS, now: clock });
		const credentials = create();
		expect([await credentials.get()]).toEqual(issuedBy(container));
		machine.write("container-token", "another");
		now += 16 * MINUTE_MS;
		await credentials.get();
		expect(container.requests.map(({ rejection }) => rejection)).toEqual([undefined, 403, 403]);
		expect(container.requests[1]?.headers.authorization).toBe("another");
	});

	it.each([
		["ECS", "169.254.170.2", { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v1/credentials" }],
		[
			"EKS Pod Identity",
			"169.254.170.23",
			{ AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://169.254.170.23/v1/credentials" },
		],
	])("at the address of %s", async (name, host, environment) => {
		const container = await machine.startContainer(name === "ECS" ? { authorization: undefined } : {});
		machine.set({ AWS_CONTAINER_CREDENTIALS_FULL_URI: undefined });
		if (name === "ECS") machine.set({ AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: undefined });
		machine.set(environment);
		const { request } = http;
		const asked: unknown[] = [];
		// The address is of the machine that it runs on; here the stand-in has it.
		const spy = vi.spyOn(http, "request").mockImplementation(((
			options: RequestOptions,
			onAnswer?: (answer: IncomingMessage) => void,
		) => {
			asked.push(options.host ?? options.hostname);
			const { hostname, port } = new URL(container.origin);
			return request({ ...options, host: hostname, hostname, port }, onAnswer);
		}) as typeof http.request);
		const keys = await create()
			.get()
			.finally(() => spy.mockRestore());
		expect([keys]).toEqual(issuedBy(container));
		expect(asked).toEqual([host]);
	});

	it("at the metadata service of the instance, version 2", async () => {
		const metadata = await machine.startMetadata();
		expect([await create().get()]).toEqual(issuedBy(metadata));
		expect(metadata.requests.map(({ method, path, rejection }) => [method, path, rejection])).toEqual([
			["PUT", "/latest/api/token", undefined],
			["GET", "/latest/meta-data/iam/security-credentials/", undefined],
			["GET", "/latest/meta-data/iam/security-credentials/simulated-role", undefined],
		]);
	});

	it("never at the metadata service's version 1", async () => {
		const metadata = await machine.startMetadata();
		metadata.enqueue({ kind: "raw", status: 403, body: "" });
		await expect(create().get()).rejects.toThrow("the instance metadata service");
		expect(metadata.requests.map(({ method }) => method)).toEqual(["PUT"]);
	});
});

it("looks in the order of AWS's libraries, and asks nobody behind the first that has some", async () => {
	const metadata = await machine.startMetadata();
	const container = await machine.startContainer();
	const sts = await machine.startSts();
	machine.write(".aws/credentials", toIni("default"));
	machine.set(STATIC);
	const asked = () => [sts, container, metadata].map(({ requests }) => requests.length);

	machine.set({ AWS_PROFILE: "default" });
	expect(await create().get()).toMatchObject({ accessKeyId: "AKIADEFAULT" });
	machine.set({ AWS_PROFILE: undefined });
	expect(await create().get()).toMatchObject({ accessKeyId: "AKIAENVIRONMENT0" });
	machine.set({ AWS_ACCESS_KEY_ID: undefined });
	expect(await create().get()).toMatchObject({ accessKeyId: "AKIADEFAULT" });
	expect(asked()).toEqual([0, 0, 0]);

	machine.write(".aws/credentials", "");
	expect(await create().get()).toEqual(issuedBy(sts)[0]);
	expect(asked()).toEqual([1, 0, 0]);
	machine.set({ AWS_ROLE_ARN: undefined });
	expect(await create().get()).toEqual(issuedBy(container)[0]);
	expect(asked()).toEqual([1, 1, 0]);
	machine.set({ AWS_CONTAINER_CREDENTIALS_FULL_URI: undefined });
	expect(await create().get()).toEqual(issuedBy(metadata)[0]);
	expect(asked()).toEqual([1, 1, 3]);
});

describe("how long they are kept", () => {
	const LIFETIME_MS = 60 * MINUTE_MS;
	const startShort = () => machine.startMetadata({ lifetimeMs: LIFETIME_MS, now: clock });

	it("asks once for all who ask at the same time", async () => {
		const metadata = await startShort();
		const credentials = create();
		const all = await Promise.all(Array.from({ length: 10 }, () => credentials.get()));
		expect(new Set(all).size).toBe(1);
		expect(metadata.issued.length).toBe(1);
		now += LIFETIME_MS;
		const later = await Promise.all(Array.from({ length: 10 }, () => credentials.get()));
		expect(new Set(later).size).toBe(1);
		expect(metadata.issued.length).toBe(2);
	});

	it("asks again five minutes before they expire, and not before", async () => {
		const metadata = await startShort();
		const credentials = create();
		const first = await credentials.get();
		now += LIFETIME_MS - 6 * MINUTE_MS;
		expect(await credentials.get()).toBe(first);
		expect(metadata.issued.length).toBe(1);
		now += 1.5 * MINUTE_MS;
		expect(await credentials.get()).toEqual(issuedBy(metadata)[1]);
		expect(metadata.issued.length).toBe(2);
	});

	it("survives a refresh that fails while the old ones hold, and asks again after a pause", async () => {
		const metadata = await startShort();
		const credentials = create();
		const first = await credentials.get();
		metadata.enqueue(...Array.from({ length: 3 }, () => ({ kind: "raw", status: 500, body: "" }) as const));
		now += LIFETIME_MS - 4 * MINUTE_MS;
		expect(await credentials.get()).toBe(first);
		expect(await credentials.get()).toBe(first);
		expect(metadata.requests.length).toBe(4);
		now += 31_000;
		expect(await credentials.get()).toBe(first);
		expect(metadata.requests.length).toBe(5);
		now += 4 * MINUTE_MS;
		await expect(credentials.get()).rejects.toMatchObject({ code: "ambient_credentials_unavailable" });
		expect(await credentials.get()).toEqual(issuedBy(metadata)[1]);
	});

	it("does not ask on and on for keys that are given for less than five minutes", async () => {
		const metadata = await machine.startMetadata({ lifetimeMs: 2 * MINUTE_MS, now: clock });
		const credentials = create();
		const first = await credentials.get();
		now += 29_000;
		expect(await credentials.get()).toBe(first);
		now += 2_000;
		expect(await credentials.get()).toEqual(issuedBy(metadata)[1]);
	});

	it("reads files again in which keys have no end, and keeps the object while they are the same", async () => {
		machine.write(".aws/credentials", toIni("default"));
		const credentials = create();
		const first = await credentials.get();
		now += 16 * MINUTE_MS;
		expect(await credentials.get()).toBe(first);
		machine.write(".aws/credentials", toIni("default").replace("default-secret", "rotated"));
		expect(await credentials.get()).toBe(first);
		now += 16 * MINUTE_MS;
		expect(await credentials.get()).toMatchObject({ secretAccessKey: "rotated" });
		machine.write(".aws/credentials", "");
		now += 1000 * MINUTE_MS;
		expect(await credentials.get()).toMatchObject({ secretAccessKey: "rotated" });
	});

	it("writes nothing to the console", async () => {
		const spies = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
		const metadata = await machine.startMetadata({ lifetimeMs: -MINUTE_MS });
		machine.set({ ...STATIC, AWS_PROFILE: "none" });
		await create().get();
		expect(metadata.issued.length).toBe(1);
		for (const spy of spies) {
			expect(spy).not.toHaveBeenCalled();
			spy.mockRestore();
		}
	});
});
