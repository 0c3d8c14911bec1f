import { type BedrockSimulator, startBedrockSimulator } from "@stemma/simulators/bedrock";
import { type OpenAiSimulator, startOpenAiSimulator } from "@stemma/simulators/openai";

export const HOST_KEY = "sk-of-the-deployment-7f31";
export const OWN_KEY = "sk-of-the-workspace-9c02";
export const AWS_KEYS = {
	workspace: { accessKeyId: "AKIAWORKSPACE00", secretAccessKey: "wJalrXUtnFEMIK7MDENGbPxRfiCYWORKSPACE" },
	deployment: { accessKeyId: "AKIADEPLOYMENT0", secretAccessKey: "wJalrXUtnFEMIK7MDENGbPxRfiCYDEPLOYMENT" },
	machine: { accessKeyId: "AKIAMACHINE0000", secretAccessKey: "wJalrXUtnFEMIK7MDENGbPxRfiCYMACHINE" },
} as const;

/** As the settings take it. */
export const toCredential = (keys: {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
}): string => `${keys.accessKeyId}:${keys.secretAccessKey}:us-east-1`;

/** A call that a stand-in for a vendor saw, and whose credential it came with. */
export interface RecordedCall {
	readonly payer: string;
	readonly vendor_host: string;
	readonly model: string;
}

/** What a vendor does with its next call. */
export type Outcome = "answer" | "status 401" | "cut stream" | "silence";

/** Stand-ins for all vendors, each with a key of its own; Amazon takes everybody's. */
export interface Vendors {
	readonly host: OpenAiSimulator;
	readonly keyless: OpenAiSimulator;
	readonly own: OpenAiSimulator;
	readonly amazon: BedrockSimulator;
	/** All calls to models since the last time, vendor by vendor. */
	drainCalls(): readonly RecordedCall[];
	/** Says what comes of the next call to the host of this one. */
	enqueue(call: Pick<RecordedCall, "vendor_host">, outcome: Outcome): void;
	close(): Promise<void>;
}

const TEXT = "The office opens at nine, and closes at five.";
const fault = { kind: "cut", after: 3 } as const;

const BEHAVIOURS = {
	answer: { kind: "reply", text: TEXT },
	"status 401": { kind: "failure", status: 401, message: "Wrong key." },
	"cut stream": { kind: "reply", text: TEXT, fault },
	silence: { kind: "silence" },
} as const;

export async function startVendors(): Promise<Vendors> {
	const openAi = {
		host: await startOpenAiSimulator({ apiKey: HOST_KEY }),
		keyless: await startOpenAiSimulator(),
		own: await startOpenAiSimulator({ apiKey: OWN_KEY }),
	};
	const amazon = await startBedrockSimulator({ credentials: Object.values(AWS_KEYS) });
	const all = { ...openAi, amazon };
	const taken = { host: 0, keyless: 0, own: 0, amazon: 0 };

	function* readCalls(): Generator<RecordedCall> {
		for (const [vendor, { baseUrl, requests }] of entriesOf(openAi))
			for (const { body } of requests.slice(taken[vendor]))
				yield {
					payer: vendor === "own" ? "workspace" : "deployment",
					vendor_host: new URL(baseUrl).host,
					model: String(body?.model),
				};
		for (const { credential, operation } of amazon.requests.slice(taken.amazon))
			yield {
				payer:
					credential?.kind === "signature" && credential.accessKeyId === AWS_KEYS.workspace.accessKeyId
						? "workspace"
						: "deployment",
				vendor_host: new URL(amazon.baseUrl).host,
				model: operation?.modelId ?? "",
			};
	}

	return {
		...all,
		drainCalls() {
			const calls = [...readCalls()];
			for (const [vendor, { requests }] of entriesOf(all)) taken[vendor] = requests.length;
			return calls;
		},
		enqueue(call, outcome) {
			const vendor = Object.values(all).find(({ baseUrl }) => new URL(baseUrl).host === call.vendor_host);
			vendor?.enqueue(BEHAVIOURS[outcome]);
		},
		async close() {
			await Promise.all(Object.values(all).map((vendor) => vendor.close()));
		},
	};
}

/** The keys of an object that was written here are all that it has. */
const entriesOf = <Name extends string, Value>(values: Readonly<Record<Name, Value>>) =>
	Object.entries(values) as [Name, Value][];
