using { shop } from '../db/schema';

service CatalogService @(path: '/odata/v4/catalog') {
  entity Products as projection on shop.Products;
  action search(text : String) returns many Products;
}

@(requires: 'admin')
service AdminService @(path: '/odata/v4/admin') {
  entity Orders as projection on shop.Orders;
}
