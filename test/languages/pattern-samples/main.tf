locals {
  bucket_name = "a"
  # The tags.
  tags = {
    project = "shop"
  }
}
resource "aws_s3_bucket" "data" {
  bucket = local.bucket_name
}
