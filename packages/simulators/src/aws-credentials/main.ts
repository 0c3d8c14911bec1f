import { parseArgs } from "node:util";
import { startContainerCredentials } from "./container-credentials.ts";
import { startInstanceMetadata } from "./instance-metadata.ts";
import { startSecurityTokenService } from "./security-token-service.ts";

/**
 * Program that stands in for AWS credentials: prints one line of JSON, the variables that lead AWS's libraries there, then serves until it is ended.
 *
 * `node packages/simulators/src/aws-credentials/main.ts --service instance --port 0`
 */
const { values } = parseArgs({
	options: {
		service: { type: "string", default: "instance" },
		port: { type: "string", default: "0" },
		"lifetime-seconds": { type: "string", default: "3600" },
		authorization: { type: "string" },
		"role-arn": { type: "string", default: "arn:aws:iam::123456789012:role/simulated" },
		"web-identity-token": { type: "string", default: "simulated-token" },
	},
});
const { authorization, "role-arn": roleArn, "web-identity-token": webIdentityToken } = values;
const options = { port: Number(values.port), lifetimeMs: Number(values["lifetime-seconds"]) * 1000 };

const services: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
	async instance() {
		const { origin } = await startInstanceMetadata(options);
		return { AWS_EC2_METADATA_SERVICE_ENDPOINT: origin };
	},
	async container() {
		const { origin } = await startContainerCredentials({ ...options, authorization });
		return {
			AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/v1/credentials`,
			...(authorization !== undefined && { AWS_CONTAINER_AUTHORIZATION_TOKEN: authorization }),
		};
	},
	async sts() {
		const { origin } = await startSecurityTokenService({ ...options, roleArn, webIdentityToken });
		return { AWS_ENDPOINT_URL_STS: origin, AWS_ROLE_ARN: roleArn };
	},
};

const start = services[values.service];
if (start === undefined) throw new Error(`--service is one of ${Object.keys(services).join(", ")}`);
process.stdout.write(`${JSON.stringify(await start())}\n`);
