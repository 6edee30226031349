using { acme.orders as db } from '../db/schema';

// this service to be used by the orders app only
@path: '/orders'
service OrderService {
  @odata.draft.enabled
  entity Orders as projection on db.Orders actions {
    action ship();
  };
  @readonly entity Customers as projection on db.Customers;
  function summary(year : Integer) returns Decimal;
}

service AdminService @(requires: 'Admin') {
  entity Customers as projection on db.Customers;
}
