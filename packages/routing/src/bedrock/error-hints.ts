import { checkModelRegion } from "./model-region";

/** What is known of a call that was refused. */
export interface HintContext {
	readonly model?: string;
	readonly region?: string | undefined;
	readonly isStreamed?: boolean;
}

const at = ({ region }: HintContext): string => (region === undefined ? "" : ` of ${region}`);
const named = ({ model }: HintContext): string => (model === undefined ? "the model" : JSON.stringify(model));

/** What to do about the errors of Bedrock, where more is known than their code tells. */
export const HINTS = {
	useCaseForm:
		"Send in the use case details once, in the model catalog of the Bedrock console, wait for about 15 minutes, or set `model` to one of another vendor.",
	marketplace:
		"The first call of this model subscribes to it: let someone with the IAM actions `aws-marketplace:Subscribe` and `aws-marketplace:ViewSubscriptions` make it once, or set `model` to another.",
	modelAccess: (context: HintContext): string =>
		`Ask for access to ${named(context)} in the Bedrock console${at(context)}, or set \`model\` to one that the account may use.`,
	inferenceProfile({ model, region }: HintContext): string | undefined {
		const id = model === undefined ? undefined : toProfileId(model, region);
		return id === undefined ? undefined : `Set \`model\` to the id of an inference profile: \`${id}\`.`;
	},
	modelOrRegion(context: HintContext): string {
		const { model, region } = context;
		const { mismatch, warning } = model === undefined ? {} : checkModelRegion(model, region);
		const detail = mismatch?.reason ?? warning;
		return `Check \`model\` for a slip, and set \`baseUrl\` to a region that has it: each has models of its own.${detail === undefined ? "" : ` ${detail}`}`;
	},
	signedForAnotherRegion:
		"Set `baseUrl` to the endpoint of the region that is meant, `https://bedrock-runtime.<region>.amazonaws.com`; behind a gateway, put its region into `apiKey`: `ACCESS:SECRET:REGION`.",
	signature:
		"Check that the secret in `apiKey` belongs to its access key id, and that nothing on the way to `baseUrl` changes the request.",
	credential:
		"Set `apiKey` to AWS keys that are valid; temporary ones (`ASIA…`) hold with their session token alone, and others without one.",
	apiKey: "Set `apiKey` to a Bedrock API key that is still valid, made in the region of `baseUrl`.",
	explicitDeny: (context: HintContext): string =>
		`A policy of the account or its organisation denies \`${toAction(context)}\` in one of the regions that ${named(context)} is served from: change it, or set \`model\` to one of regions that are allowed.`,
	bearerAction:
		"Allow the IAM action `bedrock:CallWithBearerToken` to the identity of `apiKey`, besides the one that calls the model.",
	action: (context: HintContext): string =>
		`Allow the IAM action \`${toAction(context)}\` on ${named(context)} to the identity of \`apiKey\`; for an inference profile, on the profile and on its model in each of its regions.`,
	dailyQuota:
		"Wait until tomorrow, or raise the tokens per day of the model in the console's Service Quotas, or set `model` to another.",
	quota:
		"Raise the quota in the console's Service Quotas, or set `model` or `apiKey` to one of another account.",
	maxTokens: "Lower `maxOutputTokens` to what the model can write.",
	damaged: "Try again; if it happens often, look for a proxy on the way that changes answers.",
	malformed: "Try again, or set `model` to another: it wrote what the vendor could not read.",
} as const;

/** There is no action of Converse's own. */
const toAction = ({ isStreamed = false }: HintContext): string =>
	isStreamed ? "bedrock:InvokeModelWithResponseStream" : "bedrock:InvokeModel";

/** The id that is usual in the region; undefined where there is none. */
function toProfileId(model: string, region: string | undefined): string | undefined {
	const { warning = "" } = checkModelRegion(model, region);
	return /`(.+)`\.$/.exec(warning)?.[1];
}
