import { randomBytes } from "node:crypto";
import type { Role } from "@stemma/client";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";
import { createHarness } from "@stemma/simulators/processes";
import type { Browser } from "playwright-core";
import { type ServiceProcess, startService, vendorEnvironment } from "../end-to-end/servers";
import { startChromium } from "../quick-starts/page";

/** A service with its web app, a vendor, and a browser. */
export interface WebAppFixture {
	readonly service: ServiceProcess;
	readonly vendor: OpenAiSimulator;
	readonly vendorKey: string;
	readonly browser: Browser;
	/** Text of the next answers of the model. */
	say(text: string): void;
	/** Holds the second half of each answer back. Returns what lets go of it. */
	hold(): () => void;
	/** Link that signs a person in. */
	invite(email: string, role: Role): Promise<string>;
	close(): Promise<void>;
}

export interface WebAppFixtureOptions {
	/** Default true. */
	readonly hasEncryptionKey?: boolean;
}

export async function startWebAppFixture({
	hasEncryptionKey = true,
}: WebAppFixtureOptions = {}): Promise<WebAppFixture> {
	const harness = createHarness();
	const vendorKey = `sk-${randomBytes(24).toString("hex")}`;
	let text = "";
	let held: Promise<void> | undefined;
	const vendor = await startOpenAiSimulator({
		apiKey: vendorKey,
		behaviour: () => ({ kind: "reply", text, ...(held && { held }) }),
	});
	const [browser, service] = await Promise.all([
		startChromium(),
		startService(harness, {
			env: {
				...vendorEnvironment(vendor.baseUrl, vendorKey),
				STEMMA_OUTBOUND_ALLOW: "127.0.0.1",
				...(hasEncryptionKey && { STEMMA_ENCRYPTION_KEY: randomBytes(32).toString("base64") }),
			},
		}),
	]);
	return {
		...{ service, vendor, vendorKey, browser },
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
		async close() {
			await Promise.all([browser.close(), vendor.close(), harness.end()]);
		},
	};
}
