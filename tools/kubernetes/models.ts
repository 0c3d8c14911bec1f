import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Namespace, PersistentVolumeClaim, Service, ServiceAccount } from "kubernetes-models/v1";
import type { Manifest } from "./render-overlay.ts";

/** Schemas of the kinds that the manifests use, as the module that each is exported from. */
export const MODULES: Readonly<Record<string, string>> = {
	ConfigMap: "kubernetes-models/v1",
	Deployment: "kubernetes-models/apps/v1",
	HorizontalPodAutoscaler: "kubernetes-models/autoscaling/v2",
	Ingress: "kubernetes-models/networking.k8s.io/v1",
	Namespace: "kubernetes-models/v1",
	NetworkPolicy: "kubernetes-models/networking.k8s.io/v1",
	PersistentVolumeClaim: "kubernetes-models/v1",
	PodDisruptionBudget: "kubernetes-models/policy/v1",
	Service: "kubernetes-models/v1",
	ServiceAccount: "kubernetes-models/v1",
};

const MODELS: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
	ConfigMap,
	Deployment,
	HorizontalPodAutoscaler,
	Ingress,
	Namespace,
	NetworkPolicy,
	PersistentVolumeClaim,
	PodDisruptionBudget,
	Service,
	ServiceAccount,
};

/** Checks an object by the schema of its kind. @throws where a value is wrong or missing; unknown fields pass. */
export function validateManifest(manifest: Manifest): void {
	const Model = MODELS[manifest.kind];
	if (Model === undefined) throw new Error(`There is no schema for ${manifest.kind}.`);
	new Model(manifest as never).validate();
}
