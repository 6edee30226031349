namespace acme.orders;

using { cuid, managed, User } from '@sap/cds/common';

/** Open orders of a customer. A delivery service is assigned later. */
entity Orders : cuid, managed {
  number   : String(20) @mandatory;
  customer : Association to Customers;
  status   : String enum { open = 'O'; shipped = 'S'; } default 'O' @readonly;
  items    : Composition of many Items on items.order = $self;
  total    : Decimal(15, 2);
}
entity Items : cuid {
  order    : Association to Orders;
  product  : String(40);
  quantity : Integer @assert.range: [1, 1000];
}
entity Customers : cuid {
  name  : String(100);
  mail  : String(200);
}
annotate Customers with @PersonalData: { EntitySemantics: 'DataSubject' } {
  ID   @PersonalData.FieldSemantics: 'DataSubjectID';
  name @PersonalData.IsPotentiallyPersonal;
  mail @PersonalData.IsPotentiallyPersonal;
}
@open type Extra {}
