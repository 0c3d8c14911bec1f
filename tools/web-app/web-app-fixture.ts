import { randomBytes } from "node:crypto";
import type { Role } from "@stemma/client";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createHarness } from "@stemma/simulators/processes";
import type { Browser } from "playwright-core";
import {
	type ServiceOptions,
	type ServiceProcess,
	startService,
	vendorEnvironment,
} from "../end-to-end/servers";
import { startChromium } from "../quick-starts/page";

/** A service with its web app, a vendor, and a browser. */
export interface WebAppFixture {
	readonly service: () => ServiceProcess;
	readonly vendor: OpenAiSimulator;
	readonly vendorKey: string;
	readonly browser: Browser;
	/** Text of the next answers of the model. */
	say(text: string): void;
	/** Holds the second half of each answer back. Returns what lets go of it. */
	hold(): () => void;
	/** Link that signs a person in. */
	invite(email: string, role: Role): Promise<string>;
	/** Stops the service, and starts it on the same data and port with another encryption key. */
	restart(encryptionKey?: string): Promise<void>;
	close(): Promise<void>;
}

export const createEncryptionKey = (): string => randomBytes(32).toString("base64");

/** @param encryptionKey - `undefined`: the service can store no keys. */
export async function startWebAppFixture(encryptionKey?: string): Promise<WebAppFixture> {
	const harness = createHarness();
	const vendorKey = `sk-${randomBytes(24).toString("hex")}`;
	let text = "";
	let held: Promise<void> | undefined;
	const vendor = await startOpenAiSimulator({
		apiKey: vendorKey,
		behaviour: () => ({ kind: "reply", text, ...(held && { held }) }),
	});
	const start = (key: string | undefined, options: Pick<ServiceOptions, "data" | "port"> = {}) =>
		startService(harness, {
			...options,
			env: {
				...vendorEnvironment(vendor.baseUrl, vendorKey),
				STEMMA_OUTBOUND_ALLOW: "127.0.0.1",
				...(key !== undefined && { STEMMA_ENCRYPTION_KEY: key }),
			},
		});
	const [browser, first] = await Promise.all([startChromium(), start(encryptionKey)]);
	let service = first;
	return {
		...{ vendor, vendorKey, browser },
		service: () => service,
		say(next) {
			text = next;
		},
		hold() {
			const { promise, resolve } = Promise.withResolvers<void>();
			held = promise;
			return () => {
				held = undefined;
				resolve();
			};
		},
		invite: async (email, role) => (await service.stemma.invitations.create({ email, role })).link,
		async restart(key) {
			service.program.kill("SIGTERM");
			await service.program.ended;
			service = await start(key, { data: service.data, port: new URL(service.url).port });
		},
		async close() {
			await Promise.all([browser.close(), vendor.close(), harness.end()]);
		},
	};
}
