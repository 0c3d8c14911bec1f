import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import type { ConfigurationInput } from "../../configuration/configuration-file";
import type { ServiceOptions } from "../../create-service";
import type * as source from "../../index";
import { addTenant, type Tenant } from "../../test-support/tenant";
import { openTestDeployment, type TestDeployment } from "../../test-support/test-deployment";
import { type McpRequest, type McpResponse, sendMcp } from "./mcp-requests";

/** A service with two tenants on a port, and the vendor that answers for both. */
export interface McpFixture {
	readonly url: string;
	readonly mine: Tenant;
	readonly theirs: Tenant;
	readonly vendor: OpenAiSimulator;
	readonly deployment: TestDeployment;
	/** With my token. */
	send(request: McpRequest): Promise<McpResponse>;
	/** Calls a tool with my token, and gives its result. */
	// biome-ignore lint/suspicious/noExplicitAny: tests look into it
	call(name: string, input: object, request?: Partial<McpRequest>): Promise<any>;
	/** Makes a client key of mine, for native apps unless it is said otherwise. */
	makeKey(limits: object): Promise<string>;
	close(): Promise<void>;
}

export async function startMcpFixture(
	built: typeof source,
	content: ConfigurationInput = {},
	options: ServiceOptions = {},
): Promise<McpFixture> {
	const vendor = await startOpenAiSimulator();
	const main = {
		provider: "openai-compatible",
		base_url: vendor.baseUrl,
		default_model: "gpt-test",
	} as const;
	const deployment = await openTestDeployment(
		built,
		{ providers: { main }, chat: "main", ...content },
		options,
	);
	const mine = await addTenant(deployment, "aardvark");
	const theirs = await addTenant(deployment, "zebrafish");
	const server = createAdaptorServer({
		fetch: (request) => deployment.service.fetch(request),
		overrideGlobalObjects: false,
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const send = (request: McpRequest): Promise<McpResponse> => sendMcp(url, mine.token, request);
	return {
		url,
		mine,
		theirs,
		vendor,
		deployment,
		send,
		async call(name, input, request) {
			const answer = await send({
				method: "tools/call",
				...request,
				params: { ...request?.params, name, arguments: input },
			});
			return answer.messages.at(-1)?.result;
		},
		async makeKey(limits) {
			const json = { name: "app", native: true, ...limits };
			const { body } = await mine.send("POST", "/v1/client-keys", { json });
			return (body as { readonly client_key: string }).client_key;
		},
		async close() {
			await new Promise((resolve) => {
				server.close(resolve);
				if ("closeAllConnections" in server) server.closeAllConnections();
			});
			await deployment.close();
			await vendor.close();
		},
	};
}
