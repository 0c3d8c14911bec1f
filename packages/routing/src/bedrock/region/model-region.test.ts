import { describe, expect, it } from "vitest";
import { checkModelRegion } from "./model-region";

const CLAUDE = "anthropic.claude-sonnet-4-20250514-v1:0";
const ACCOUNT = "123456789012";

describe("us., eu. and apac. in a region of another of the three", () => {
	it.each([
		["eu", "us-east-1", "us"],
		["apac", "us-west-2", "us"],
		["us", "eu-west-1", "eu"],
		["apac", "eu-central-1", "eu"],
		["us", "ap-northeast-1", "apac"],
		["eu", "ap-southeast-2", "apac"],
	])("%s. in %s is %s.", (prefix, region, right) => {
		const { mismatch } = checkModelRegion(`${prefix}.${CLAUDE}`, region);
		expect(mismatch).toEqual({
			model: `${right}.${CLAUDE}`,
			reason: `\`${prefix}.\` is not for ${region}: use \`${right}.${CLAUDE}\`.`,
		});
	});
});

describe("nothing to say", () => {
	it.each([
		["us", "us-east-2"],
		["eu", "eu-north-1"],
		["apac", "ap-south-1"],
		["apac", "ap-northeast-1"],
		["jp", "ap-northeast-1"],
		["jp", "ap-northeast-3"],
		["au", "ap-southeast-2"],
		["au", "ap-southeast-4"],
		["ca", "ca-central-1"],
		["us", "sa-east-1"],
		["apac", "me-central-1"],
		["us-gov", "us-gov-west-1"],
		["global", "us-east-1"],
		["global", "eu-west-1"],
		["global", "mx-central-1"],
	])("about %s. in %s", (prefix, region) => {
		expect(checkModelRegion(`${prefix}.${CLAUDE}`, region)).toEqual({});
	});

	it("where there is no region", () => {
		expect(checkModelRegion(`eu.${CLAUDE}`, undefined)).toEqual({});
		expect(checkModelRegion(`arn:aws:bedrock:eu-west-1::foundation-model/${CLAUDE}`, undefined)).toEqual({});
	});

	it("about an id without a prefix where none is known", () => {
		expect(checkModelRegion(CLAUDE, "cn-north-1")).toEqual({});
		expect(checkModelRegion(CLAUDE, "eusc-de-east-1")).toEqual({});
	});
});

describe("a warning", () => {
	it.each([
		["jp", "eu-west-1", `eu.${CLAUDE}`],
		["jp", "ap-southeast-2", `apac.${CLAUDE}`],
		["au", "us-east-1", `us.${CLAUDE}`],
		["ca", "us-east-1", `us.${CLAUDE}`],
		["us", "ca-central-1", `ca.${CLAUDE}`],
		["us-gov", "us-east-1", `us.${CLAUDE}`],
		["us", "us-gov-west-1", `us-gov.${CLAUDE}`],
		["global", "us-gov-west-1", `us-gov.${CLAUDE}`],
		["eu", "sa-east-1", `us.${CLAUDE}`],
		["eu", "me-central-1", `apac.${CLAUDE}`],
		["us", "mx-central-1", `global.${CLAUDE}`],
		["xx", "us-east-1", `us.${CLAUDE}`],
	])("for %s. in %s, which names %s", (prefix, region, better) => {
		expect(checkModelRegion(`${prefix}.${CLAUDE}`, region)).toEqual({
			warning: `\`${prefix}.\` is unusual in ${region}: try \`${better}\`.`,
		});
	});

	it("for a prefix where none is known", () => {
		const warning = "`eu.` is unusual in eusc-de-east-1.";
		expect(checkModelRegion(`eu.${CLAUDE}`, "eusc-de-east-1")).toEqual({ warning });
	});

	it.each([
		CLAUDE,
		"meta.llama3-3-70b-instruct-v1:0",
		"amazon.nova-lite-v1:0",
		"deepseek.v3.2",
		"zai.glm-4.7",
		"qwen.qwen3.5-x",
	])("for an id without a prefix: %s", (id) => {
		const warning = `Newer models need an inference profile: \`eu.${id}\`.`;
		expect(checkModelRegion(id, "eu-west-1")).toEqual({ warning });
	});
});

describe("ARNs of another region", () => {
	it.each([
		[
			`arn:aws:bedrock:us-east-1::foundation-model/${CLAUDE}`,
			"eu-west-1",
			`arn:aws:bedrock:eu-west-1::foundation-model/${CLAUDE}`,
		],
		[
			`arn:aws-us-gov:bedrock:us-gov-east-1::foundation-model/${CLAUDE}`,
			"us-gov-west-1",
			`arn:aws-us-gov:bedrock:us-gov-west-1::foundation-model/${CLAUDE}`,
		],
		[
			`arn:aws:bedrock:us-east-1:${ACCOUNT}:inference-profile/us.${CLAUDE}`,
			"us-west-2",
			`arn:aws:bedrock:us-west-2:${ACCOUNT}:inference-profile/us.${CLAUDE}`,
		],
		[
			`arn:aws:bedrock:us-east-1:${ACCOUNT}:inference-profile/us.${CLAUDE}`,
			"eu-west-1",
			`arn:aws:bedrock:eu-west-1:${ACCOUNT}:inference-profile/eu.${CLAUDE}`,
		],
		[
			`arn:aws:bedrock:us-east-1:${ACCOUNT}:inference-profile/global.${CLAUDE}`,
			"ap-northeast-1",
			`arn:aws:bedrock:ap-northeast-1:${ACCOUNT}:inference-profile/global.${CLAUDE}`,
		],
		[
			`arn:aws-cn:bedrock:cn-north-1::foundation-model/${CLAUDE}`,
			"cn-northwest-1",
			`arn:aws-cn:bedrock:cn-northwest-1::foundation-model/${CLAUDE}`,
		],
	])("%s in %s", (arn, region, corrected) => {
		const { mismatch } = checkModelRegion(arn, region);
		expect(mismatch?.model).toBe(corrected);
		expect(mismatch?.reason).toContain(`use \`${corrected}\`.`);
		expect(checkModelRegion(corrected, region).mismatch).toBeUndefined();
	});

	it.each([
		[`arn:aws:bedrock:us-east-1:${ACCOUNT}:application-inference-profile/a1`, "eu-west-1"],
		[`arn:aws:bedrock:us-east-1:${ACCOUNT}:provisioned-model/a1`, "us-west-2"],
		[`arn:aws:bedrock:us-east-1:${ACCOUNT}:imported-model/a1`, "us-west-2"],
		[`arn:aws:bedrock:us-east-1:${ACCOUNT}:prompt-router/a1`, "us-west-2"],
		[`arn:aws:bedrock:us-east-1:${ACCOUNT}:default-prompt-router/anthropic.claude:1`, "us-west-2"],
		[`arn:aws:bedrock:us-east-1:${ACCOUNT}:custom-model-deployment/a1`, "us-west-2"],
		[`arn:aws:sagemaker:us-east-1:${ACCOUNT}:endpoint/a1`, "us-west-2"],
		[`arn:aws:bedrock:us-east-1::foundation-model/${CLAUDE}`, "us-gov-west-1"],
		[`arn:aws:bedrock:us-east-1:${ACCOUNT}:inference-profile/us.${CLAUDE}`, "cn-north-1"],
	])("%s in %s has to be asked in its own", (arn, region) => {
		expect(checkModelRegion(arn, region)).toEqual({
			mismatch: {
				model: undefined,
				reason: "This ARN belongs to us-east-1: use the base_url of us-east-1.",
			},
		});
	});
});

describe("ARNs of the region itself", () => {
	it.each([
		`arn:aws:bedrock:us-east-1:${ACCOUNT}:application-inference-profile/a1`,
		`arn:aws:bedrock:us-east-1:${ACCOUNT}:provisioned-model/a1`,
		`arn:aws:bedrock:us-east-1:${ACCOUNT}:inference-profile/us.${CLAUDE}`,
		`arn:aws:bedrock:us-east-1:${ACCOUNT}:inference-profile/global.${CLAUDE}`,
	])("%s fits", (arn) => {
		expect(checkModelRegion(arn, "us-east-1")).toEqual({});
	});

	it("are told by the id in them", () => {
		const arn = (id: string) => `arn:aws:bedrock:us-east-1:${ACCOUNT}:inference-profile/${id}`;
		expect(checkModelRegion(arn(`eu.${CLAUDE}`), "us-east-1").mismatch?.model).toBe(arn(`us.${CLAUDE}`));
		const model = `arn:aws:bedrock:us-east-1::foundation-model/${CLAUDE}`;
		expect(checkModelRegion(model, "us-east-1").warning).toContain(`\`us.${CLAUDE}\``);
	});
});
