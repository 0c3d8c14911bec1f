import dns from "node:dns";
import { inspect } from "node:util";
import { ConfigurationError } from "@stemma/core/errors";
import type { Behaviour } from "@stemma/simulators/aws-credentials";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LoadAmbientKeysOptions, loadAmbientKeys } from "./load-ambient-keys";
import {
	type AwsEnvironment,
	CONTAINER_TOKEN,
	createAwsEnvironment,
	WEB_IDENTITY_TOKEN,
} from "./test-support/aws-environment";

const SECRET = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY";

let machine: AwsEnvironment;
beforeEach(() => {
	machine = createAwsEnvironment();
});
afterEach(() => machine.close());

/** How it fails; and that it says how, with no more. */
async function fail(options: LoadAmbientKeysOptions = { region: "us-east-1" }): Promise<ConfigurationError> {
	const error: unknown = await loadAmbientKeys(options).catch((reason: unknown) => reason);
	if (!ConfigurationError.is(error))
		throw new Error("It did not fail, or not as it should.", { cause: error });
	expect(error.code).toBe("ambient_credentials_unavailable");
	expect(error.hint).toContain("aws.allowAmbientCredentials");
	const shown = `${error.stack}${JSON.stringify(error)}${inspect(error, { depth: 9, showHidden: true })}`;
	for (const secret of [SECRET, CONTAINER_TOKEN, WEB_IDENTITY_TOKEN]) expect(shown).not.toContain(secret);
	return error;
}

const raw = (status: number, body: string): Behaviour => ({ kind: "raw", status, body });
const silence: Behaviour = { kind: "silence" };
const usual: Behaviour = { kind: "default" };

/** How a source may fail; each tells a secret. */
const FAILURES: readonly (readonly [string, Behaviour])[] = [
	["403", raw(403, JSON.stringify({ Code: "AccessDenied", Message: SECRET }))],
	["500", raw(500, SECRET)],
	["HTML", raw(200, `<html><body>${SECRET}</body></html>`)],
	["half a JSON", raw(200, `{"SecretAccessKey":"${SECRET}`)],
	["other fields", raw(200, JSON.stringify({ SecretAccessKey: SECRET }))],
	["silence", silence],
	["an empty key", { kind: "default", fields: { AccessKeyId: "", SecretAccessKey: SECRET } }],
	["a key that cannot be sent", { kind: "default", fields: { SecretAccessKey: `${SECRET}\u00e9` } }],
	["a token with a line break", { kind: "default", fields: { Token: `${SECRET}\n` } }],
	["no date", { kind: "default", fields: { SecretAccessKey: SECRET, Expiration: "never" } }],
];

const toOptions = ({ kind }: Behaviour): LoadAmbientKeysOptions => ({
	region: "us-east-1",
	...(kind === "silence" && { limitMs: 3000 }),
});

describe("an instance metadata service that answers with", () => {
	it.each(FAILURES)("%s", async (_, behaviour) => {
		const metadata = await machine.startMetadata();
		metadata.enqueue(usual, usual, behaviour);
		expect((await fail(toOptions(behaviour))).message).toContain(
			"credentials: the instance metadata service",
		);
		expect(metadata.requests.length).toBe(3);
	});

	it.each([
		["no role", { role: null }, []],
		["silence at once", {}, [silence]],
		["silence instead of a role", {}, [usual, silence]],
		["401 to its own token", {}, [usual, raw(401, SECRET)]],
	])("%s", async (_, options, behaviours) => {
		(await machine.startMetadata(options)).enqueue(...behaviours);
		expect((await fail()).hint).toContain("hop limit of 2");
	});
});

describe("a container's endpoint that answers with", () => {
	it.each(FAILURES)("%s", async (_, behaviour) => {
		const container = await machine.startContainer();
		const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
		container.enqueue(behaviour, raw(500, SECRET));
		const error = await fail(toOptions(behaviour));
		expect(error.message).toContain("credentials: the container's endpoint");
		expect(error.hint).toContain("pod identity association");
		expect(inspect(warn.mock.calls)).not.toContain(SECRET);
		warn.mockRestore();
	});

	it("silence, which is not waited for long", async () => {
		const container = await machine.startContainer();
		const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
		container.enqueue(silence);
		expect((await fail()).message).toContain("the container's endpoint did not answer within 2.5 s");
		warn.mockRestore();
	});

	it("nothing, for it is a host that may be anybody's", async () => {
		machine.set({ AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://10.0.0.1/keys" });
		expect((await fail()).message).toContain("the container's endpoint");
	});
});

describe("an STS that answers with", () => {
	const toSts = (behaviour: Behaviour): Behaviour => {
		if (behaviour.kind !== "raw" || behaviour.status !== 403) return behaviour;
		const error = `<Error><Type>Sender</Type><Code>AccessDenied</Code><Message>${SECRET}</Message></Error>`;
		return raw(403, `<ErrorResponse>${error}<RequestId>1</RequestId></ErrorResponse>`);
	};

	it.each(FAILURES)("%s", async (name, behaviour) => {
		const sts = await machine.startSts();
		// What is worth it is tried three times.
		sts.enqueue(...Array.from({ length: 3 }, () => toSts(behaviour)));
		const error = await fail(toOptions(behaviour));
		if (name === "silence") expect(sts.requests.length).toBe(2);
		expect(error.message).toContain(
			name === "403" ? "STS refused the web identity with `AccessDenied`" : "credentials: the web identity",
		);
		expect(error.hint).toContain("trusts the identity provider");
	});

	it("a refusal, for the token is another", async () => {
		await machine.startSts();
		machine.write("web-identity-token", SECRET);
		expect((await fail()).message).toMatch(/STS refused the web identity with `InvalidIdentityToken/);
	});

	it("nothing, for it cannot be reached", async () => {
		await machine.startSts();
		machine.set({ AWS_ENDPOINT_URL_STS: "http://127.0.0.1:9" });
		expect((await fail()).message).toContain("STS cannot be reached (`ECONNREFUSED`)");
	});

	it("nothing, for there is no token", async () => {
		await machine.startSts();
		machine.set({ AWS_WEB_IDENTITY_TOKEN_FILE: "/nowhere/token" });
		expect((await fail()).message).toContain("the file that `AWS_WEB_IDENTITY_TOKEN_FILE` names");
	});
});

describe("a machine that has none", () => {
	it("says so soon, with all that was asked", async () => {
		expect((await fail()).message).toBe(
			"This machine gives no AWS credentials: the instance metadata service gave none. Asked in this order: the environment (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`); the shared files (`~/.aws`, `AWS_PROFILE`); the profile's `credential_process`; the web identity (`AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`); the instance metadata service.",
		);
	});

	it("says what was not asked", async () => {
		machine.set({ AWS_PROFILE: "none", AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: SECRET });
		machine.set({ AWS_EC2_METADATA_DISABLED: "true" });
		expect((await fail()).message).toBe(
			"This machine gives no AWS credentials: the shared files gave none. Asked in this order: not the environment, because `AWS_PROFILE` is set; the shared files (`~/.aws`, `AWS_PROFILE`); the profile's `credential_process`; the web identity (`AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`); not the instance metadata service, because `AWS_EC2_METADATA_DISABLED` is set.",
		);
		machine.set({ AWS_PROFILE: undefined, AWS_ACCESS_KEY_ID: undefined });
		expect((await fail()).message).toContain("credentials: the environment gave none");
	});

	it("does not take keys that have expired", async () => {
		machine.set({ AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: SECRET });
		machine.set({ AWS_CREDENTIAL_EXPIRATION: "2020-01-01T00:00:00Z" });
		expect((await fail()).message).toContain("the environment gave keys that have expired");
	});

	it("says which profile to look at where one is named, whatever comes after it", async () => {
		machine.set({ AWS_PROFILE: "none" });
		const { message, hint } = await fail();
		expect(message).toContain("credentials: the shared files gave none");
		expect(hint).toContain("aws sts get-caller-identity");
	});

	it("does not tell what a program said that failed", async () => {
		machine.write(
			".aws/config",
			`[default]\ncredential_process = echo ${SECRET}; echo ${SECRET} >&2; false\n`,
		);
		await fail();
	});
});

describe("the region whose STS is asked", () => {
	it.each([
		["the option", { region: "eu-central-1" }, {}, "sts.eu-central-1.amazonaws.com"],
		[
			"AWS_REGION before it",
			{ region: "eu-central-1" },
			{ AWS_REGION: "ca-central-1" },
			"sts.ca-central-1.amazonaws.com",
		],
		["the option in China", { region: "cn-north-1" }, {}, "sts.cn-north-1.amazonaws.com.cn"],
	])("%s", async (_, options, environment, host) => {
		await machine.startSts();
		machine.set({ ...environment, AWS_ENDPOINT_URL_STS: undefined });
		const asked: string[] = [];
		const lookup = vi.spyOn(dns, "lookup").mockImplementation(((
			name: string,
			...rest: readonly unknown[]
		) => {
			asked.push(name);
			const callback = rest.at(-1) as (error: Error) => void;
			callback(Object.assign(new Error(SECRET), { code: "ENOTFOUND" }));
		}) as typeof dns.lookup);
		const error = await fail(options);
		lookup.mockRestore();
		expect(new Set(asked)).toEqual(new Set([host]));
		expect(error.message).toContain("STS cannot be reached (`ENOTFOUND`)");
	});
});
