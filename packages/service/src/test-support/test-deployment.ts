import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Service } from "../assemble-service";
import type { WorkspaceCredentials } from "../auth/bootstrap-credentials";
import type { Configuration } from "../configuration/configuration";
import type { ConfigurationInput } from "../configuration/configuration-file";
import type { ServiceOptions } from "../create-service";
import type * as source from "../index";
import { createTestService } from "./alternating-service";
import { type SendRequest, sendTo } from "./send-request";
import { createTestDatabase } from "./test-database";

/** What was built, as users import it. */
type BuiltService = typeof source;

/** A service without a port, over a folder of its own. */
export interface TestDeployment {
	readonly service: Service;
	readonly folder: string;
	readonly configuration: Configuration;
	/** Makes a workspace, and asks for an access token of its first client. */
	addWorkspace(name: string): Promise<TestWorkspace>;
	/** Ends the service and removes the folder. */
	close(): Promise<void>;
}

export interface TestWorkspace {
	readonly credentials: WorkspaceCredentials;
	readonly token: string;
	/** Sends with the token, unless the request has one of its own. */
	readonly send: SendRequest;
}

/** A configuration for tests: quiet, on any free port, and with no limit that a test reaches by being quick. */
export const toTestConfiguration = (
	{ resolveConfiguration }: BuiltService,
	folder: string,
	content: ConfigurationInput = {},
) =>
	resolveConfiguration({
		content: {
			data: folder,
			listen: { port: 0 },
			log: { level: "silent" },
			...content,
			limits: { requests_per_minute: 10_000_000, ...content.limits },
		},
	});

/** What seals in tests. */
export const TEST_ENCRYPTION = {
	keys: [{ id: "test", key: { value: Buffer.alloc(32, 7).toString("base64") } }],
} satisfies ConfigurationInput["encryption"];

/** With an encryption key, and with vendors on this machine within reach. */
export async function openTestDeployment(
	built: BuiltService,
	content: ConfigurationInput = {},
	options: ServiceOptions = {},
): Promise<TestDeployment> {
	const folder = await mkdtemp(join(tmpdir(), "stemma-service-"));
	const database = await createTestDatabase();
	const whole = {
		...database.content,
		encryption: TEST_ENCRYPTION,
		outbound: { allow: ["127.0.0.1"] },
		...content,
	};
	const configuration = toTestConfiguration(built, folder, whole);
	const service = await createTestService(built, configuration, options);
	return {
		service,
		folder,
		configuration,
		async addWorkspace(name) {
			const credentials = await service.createWorkspace(name);
			const token = await fetchToken(sendTo(service.fetch), credentials);
			return { credentials, token, send: sendTo(service.fetch, token) };
		},
		async close() {
			await service.close(0);
			await database.drop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** An access token for a client id and its secret. */
export async function fetchToken(
	send: SendRequest,
	{ client_id, client_secret }: Pick<WorkspaceCredentials, "client_id" | "client_secret">,
): Promise<string> {
	const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
	const { status, body } = await send("POST", "/oauth/token", { form });
	if (status !== 200) throw new Error(`No token: ${JSON.stringify(body)}`);
	return (body as { readonly access_token: string }).access_token;
}
