@cds.external: true
service API_BUSINESS_PARTNER {
  @cds.external: true
  entity A_BusinessPartner { key BusinessPartner : String(10); Language : String(2); }
}
