import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService, resolveConfiguration } from "@stemma/service";
import type { Service } from "../../assemble-service";
import type { WorkspaceCredentials } from "../../auth/bootstrap-credentials";
import type { Configuration } from "../../configuration/configuration";
import type { ConfigurationInput } from "../../configuration/configuration-file";
import type { ServiceOptions } from "../../create-service";
import { createTestService } from "../../test-support/alternating-service";
import { createTestDatabase } from "../../test-support/test-database";

/** Built service with a data folder of its own, which does not listen on a port. */
export interface TestService {
	readonly folder: string;
	readonly credentials: WorkspaceCredentials;
	/** Returns the configuration of the current service. */
	configuration(): Configuration;
	/** Returns the current service; `restart` replaces it. */
	current(): Service;
	/** A request with the first client's token, unless another credential is given (`null` for none). */
	send(path: string, request?: TestRequest): Promise<TestResponse>;
	/** @param content - of the configuration from now on; default: as it was. */
	restart(content?: ConfigurationInput, options?: ServiceOptions): Promise<void>;
	/** Closes the service and deletes the folder. */
	end(): Promise<void>;
}

export interface TestRequest {
	readonly method?: string;
	/** Sent as JSON; makes the method POST. */
	readonly json?: unknown;
	readonly credential?: string | null;
	readonly headers?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
}

/** An answer that was read. */
export interface TestResponse {
	readonly status: number;
	readonly headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: tests look into it
	readonly body: any;
}

export async function startTestService(content: ConfigurationInput = {}): Promise<TestService> {
	const folder = await mkdtemp(join(tmpdir(), "stemma-service-"));
	const database = await createTestDatabase();
	const toConfiguration = (input: ConfigurationInput) =>
		resolveConfiguration({
			content: { log: { level: "silent" }, ...database.content, ...input, data: folder },
		});
	let configuration = toConfiguration(content);
	let service = await createTestService({ createService }, configuration);
	const file = await readFile(service.bootstrapCredentials.path, "utf8");
	const credentials = JSON.parse(file) as WorkspaceCredentials;
	const firstToken = await getToken(service, credentials);
	return {
		folder,
		credentials,
		configuration: () => configuration,
		current: () => service,
		send: (path, request) => send(service, path, { credential: firstToken, ...request }),
		async restart(changed, options) {
			await service.close(0);
			if (changed !== undefined) configuration = toConfiguration(changed);
			service = await createTestService({ createService }, configuration, options);
		},
		async end() {
			await service.close(0);
			await database.drop();
			await rm(folder, { recursive: true });
		},
	};
}

async function send(
	service: Service,
	path: string,
	{ method, json, credential, headers, signal }: TestRequest,
): Promise<TestResponse> {
	const response = await service.fetch(
		new Request(`http://127.0.0.1:4000${path}`, {
			method: method ?? (json === undefined ? "GET" : "POST"),
			headers: {
				...(json !== undefined && { "content-type": "application/json" }),
				...(credential != null && { authorization: `Bearer ${credential}` }),
				...headers,
			},
			...(json !== undefined && { body: JSON.stringify(json) }),
			...(signal !== undefined && { signal }),
		}),
	);
	const text = await response.text();
	const isJson = response.headers.get("content-type")?.startsWith("application/json");
	return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** An access token, as a client gets one. */
export async function getToken(
	service: Service,
	client: Pick<WorkspaceCredentials, "client_id" | "client_secret">,
	scope?: string,
): Promise<string> {
	const { client_id, client_secret } = client;
	const { body } = await requestToken(service, {
		grant_type: "client_credentials",
		client_id,
		client_secret,
		...(scope !== undefined && { scope }),
	});
	if (body.access_token === undefined) throw new Error(`No token: ${JSON.stringify(body)}`);
	return body.access_token;
}

/** `POST /oauth/token` with a form. */
export async function requestToken(
	service: Service,
	form: Record<string, string> | string[][],
	headers: Record<string, string> = {},
): Promise<TestResponse> {
	const response = await service.fetch(
		new Request("http://127.0.0.1:4000/oauth/token", {
			method: "POST",
			body: new URLSearchParams(form),
			headers,
		}),
	);
	return { status: response.status, headers: response.headers, body: await response.json() };
}
