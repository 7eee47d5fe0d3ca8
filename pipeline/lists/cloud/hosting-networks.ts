/** An autonomous system of a cloud provider without a published list. */
export interface HostingNetwork {
  readonly asn: number;
  /** The provider, as in `ListClaim.cloud`. */
  readonly provider: string;
}

/**
 * Clouds without a published list, by the AS that announces a network. An AS also has networks of its company itself
 * and leased blocks, so this ranks below every published list. Service and region are unknown. The names in comments
 * are those in PeeringDB, or in RIPE NCC's asnames where marked.
 */
export const HOSTING_NETWORKS: readonly HostingNetwork[] = [
  { asn: 24940, provider: 'Hetzner' }, // Hetzner Online
  { asn: 213230, provider: 'Hetzner' }, // Hetzner Online Cloud 2
  { asn: 212317, provider: 'Hetzner' }, // Hetzner Online Cloud 3
  { asn: 16276, provider: 'OVHcloud' }, // OVHcloud
  { asn: 45102, provider: 'Alibaba Cloud' }, // Alibaba
  { asn: 37963, provider: 'Alibaba Cloud' }, // Alibaba (China)
  { asn: 134963, provider: 'Alibaba Cloud' }, // ASEPL-AS-AP, Alibaba.com Singapore (RIPE NCC)
  { asn: 45090, provider: 'Tencent Cloud' }, // Tencent-CN
  { asn: 132203, provider: 'Tencent Cloud' }, // Tencent Global
  { asn: 133478, provider: 'Tencent Cloud' }, // TENCENT-AS-AP, Tencent Cloud Computing Beijing (RIPE NCC)
  { asn: 132591, provider: 'Tencent Cloud' }, // TENCENT-NET-AP-AS, Tencent AS num for global network (RIPE NCC)
  { asn: 136907, provider: 'Huawei Cloud' }, // Huawei Cloud Global
  { asn: 55990, provider: 'Huawei Cloud' }, // Huawei Cloud (China)
  { asn: 12876, provider: 'Scaleway' }, // Scaleway
  // Not AS29447, the access network of Iliad Italia (PeeringDB: Cable/DSL/ISP), which some sources list as Scaleway.
  { asn: 36351, provider: 'IBM Cloud' }, // SoftLayer Technologies, an IBM company
  { asn: 135377, provider: 'UCloud' }, // UCLOUD-HK-AS-AP, UCloud Information Technology HK (RIPE NCC)
];

/** Returns the cloud provider of an AS, or undefined. */
export function hostingProviderOf(asn: number): string | undefined {
  return HOSTING_NETWORKS.find((network) => network.asn === asn)?.provider;
}
