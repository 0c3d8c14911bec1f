export {
	type S3Simulator,
	type S3SimulatorOptions,
	type SimulatedObject,
	startS3Simulator,
} from "./s3/simulator.ts";
