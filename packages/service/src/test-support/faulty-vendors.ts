import { startBedrockSimulator } from "@stemma/simulators/bedrock";
import { answerInternalRequest } from "@stemma/simulators/internal-requests";
import { startOpenAiSimulator } from "@stemma/simulators/openai";
import { FAULTS, HUGE_FAULTS, SLOW_FAULTS, type VendorFault, type VendorFormat } from "./vendor-faults";

/** A vendor that fails as the model is named that it is asked for: `status-401`, and whatever stands behind a dot. */
export interface FaultyVendor {
	readonly format: VendorFormat;
	readonly baseUrl: string;
	/** The one that it takes. */
	readonly credential: string;
	/** How often it was asked for a model. */
	countCalls(model: string): number;
	close(): Promise<void>;
}

/** In a question, it has the vendor fail where passages are judged. */
export const FAILS_AT_SCORING = "in vain";

const answerInternal: typeof answerInternalRequest = (request) =>
	request.user.includes(FAILS_AT_SCORING) ? undefined : answerInternalRequest(request);

export async function startFaultyVendor(format: VendorFormat, key: string): Promise<FaultyVendor> {
	return format === "bedrock" ? startBedrock(key) : startOpenAi(key);
}

/** Nobody listens there. */
export const toAbsentVendor = (format: VendorFormat, key: string): FaultyVendor => ({
	format,
	baseUrl: format === "bedrock" ? "http://127.0.0.1:1" : "http://127.0.0.1:1/v1",
	credential: format === "bedrock" ? toAwsKeys(key).credential : key,
	countCalls: () => 0,
	close: async () => undefined,
});

async function startOpenAi(key: string): Promise<FaultyVendor> {
	const simulator = await startOpenAiSimulator({
		apiKey: key,
		answerInternal,
		behaviour: ({ model, stream }) =>
			findFault(String(model))["openai-compatible"]?.[stream === true ? "streamed" : "whole"] ??
			DEFAULT_REPLY,
	});
	return {
		...simulator,
		format: "openai-compatible",
		credential: key,
		countCalls: (model) => simulator.requests.filter(({ body }) => body?.model === model).length,
	};
}

async function startBedrock(key: string): Promise<FaultyVendor> {
	const { keys, credential } = toAwsKeys(key);
	const simulator = await startBedrockSimulator({
		credentials: [keys],
		answerInternal,
		behaviour: (_, { modelId, name }) =>
			findFault(modelId).bedrock?.[name === "converse-stream" ? "streamed" : "whole"] ?? DEFAULT_REPLY,
	});
	return {
		...simulator,
		format: "bedrock",
		credential,
		countCalls: (model) => simulator.requests.filter(({ operation }) => operation?.modelId === model).length,
	};
}

const DEFAULT_REPLY = { kind: "reply", text: "All is well." } as const;

const findFault = (model: string): Pick<VendorFault, VendorFormat> =>
	({ ...FAULTS, ...SLOW_FAULTS, ...HUGE_FAULTS })[model.split(".")[0] ?? ""] ?? {};

/** A key id and a secret of a length that AWS has, made of a key. */
function toAwsKeys(key: string) {
	const keys = {
		accessKeyId: `AKIA${key.replace(/\W/g, "").toUpperCase()}`.slice(0, 20),
		secretAccessKey: key.padEnd(40, "x"),
	};
	return { keys, credential: `${keys.accessKeyId}:${keys.secretAccessKey}:us-east-1` };
}
