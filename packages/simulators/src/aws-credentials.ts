export type { Behaviour } from "./aws-credentials/behaviour.ts";
export {
	type ContainerCredentialsOptions,
	startContainerCredentials,
} from "./aws-credentials/container-credentials.ts";
export type { CredentialServer } from "./aws-credentials/credential-server.ts";
export { type InstanceMetadataOptions, startInstanceMetadata } from "./aws-credentials/instance-metadata.ts";
export type { IssueOptions } from "./aws-credentials/issued-keys.ts";
export { startSecurityTokenService } from "./aws-credentials/security-token-service.ts";
